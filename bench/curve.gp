# SPDX-License-Identifier: MIT
# gnuplot -e "table='build/curve.txt'; out='build/bench.svg'" bench/curve.gp
set terminal svg size 760,520 font "sans-serif,13" background "white"
set output out
machine = system("sed -n 's/^# //p' ".table." | head -n 1 | sed 's/, load.*//'")
set title "One gradient over all pairs, d = 64, float, one thread, ".machine noenhanced
set logscale xy
set xlabel "records n"
set ylabel "milliseconds"
set format x "10^{%T}"
set format y "10^{%T}"
set key bottom right
set grid lc "#dddddd"
plot table using 1:($4*1e-6) with linespoints lw 2 pt 7 ps 0.5 lc "#d55e00" title "C double loop, logistic", \
     table using 1:($6*1e-6) with linespoints lw 2 pt 7 ps 0.5 lc "#cc79a7" title "C qsort and search, hinge", \
     table using 1:($5*1e-6) with linespoints lw 2 pt 7 ps 0.5 lc "#009e73" title "dppair, hinge, exact", \
     table using 1:($2*1e-6) with linespoints lw 3 pt 7 ps 0.6 lc "#0072b2" title "dppair, logistic, certified to 2e-6", \
     table using 1:($3*1e-6) with linespoints lw 1.5 dt 2 pt 1 ps 0.5 lc "#555555" title "one pointwise gradient"
