# SPDX-License-Identifier: MIT
# gnuplot -e "table='build/roofline.txt'; out='bench/roofline.svg'" bench/roofline.gp
set terminal svg size 760,560 font "sans-serif,13" background "white"
set output out
line(k) = system("sed -n 's/^# //p' ".table." | sed -n ".k."p")
machine = system("sed -n 's/^# \\(.*\\), load.*/\\1/p' ".table." | head -n 1")
single = real(word(line(2), 2))
double = real(word(line(2), 6))
sizes = "2000 10000 200000"
colours = "#0072b2 #d55e00 #009e73"
# reading: the faster of both types
reading(n) = real(system("awk '$1 == ".n." && $4 > b { b = $4 } END { print b }' ".table))
kernels = "'scores, float' 'scores, double' 'X^T c, float rows, double sums' 'X^T c, double' 'boxes, 8 terms'"
kernels = kernels." 'pair loops, float' 'metric gradient, float'"
array mark[7] = [4, 5, 6, 7, 9, 11, 13]
set title "What the kernels reach, and what this machine allows: d = 64, one thread, ".machine noenhanced
set logscale xy
set xlabel "arithmetic intensity, flop per byte"
set ylabel "GFLOP/s"
set xrange [0.15:20000]
set yrange [3:1000]
set key bottom right noenhanced samplen 2
set grid lc "#dddddd"
set label sprintf("float, measured: %.0f", single) at 20,single*1.13 tc "#444444"
set label sprintf("double, measured: %.0f", double) at 20,double*1.13 tc "#444444"
rows(n, kernel) = "< grep -e '^".n." .*\"".kernel."\"' -m 1 ".table
array bandwidth[3] = [reading("2000"), reading("10000"), reading("200000")]
do for [k=1:3] {
  knee = single/bandwidth[k]
  set arrow from 0.15,0.15*bandwidth[k] to knee,single nohead lw 2 lc rgb word(colours, k)
}
set arrow from single/bandwidth[1],single to 20000,single nohead lw 2 lc "#444444"
set arrow from 0.15,double to 20000,double nohead lc "#444444" dt 3
plot for [k=1:3] keyentry with lines lw 2 lc rgb word(colours, k) \
       title sprintf("n = %s, reading %.0f GB/s", word(sizes, k), bandwidth[k]), \
     for [j=1:words(kernels)] for [k=1:3] rows(word(sizes, k), word(kernels, j)) using 2:3 \
       with points ps 1.1 lw 1.5 pt mark[j] lc rgb word(colours, k) notitle, \
     for [j=1:words(kernels)] keyentry with points ps 1.1 lw 1.5 pt mark[j] lc "#444444" title word(kernels, j)
