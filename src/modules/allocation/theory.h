/* ================================================================================================
 * Random allocation
 *
 * An epoch has t noisy steps. Every record is put into exactly one of the t batches, uniformly and
 * independently of all other records; step i releases f_i(batch i; earlier outputs) + sigma N(0,
 * I), and zeroing a record moves f_i by at most S. z = sigma/S. Epochs draw afresh.
 *
 * The law. x_1 .. x_t are independent N(0, 1), X_i = exp(x_i/z - 1/(2z^2)), L = (X_1 + .. + X_t)/t,
 * Q is the law of x, dP = L dQ, l = log L has density f under Q and p = e^l f under P. Then
 *     remove: delta = E_Q (L - e^epsilon)_+       add: delta = E_Q (1 - e^epsilon L)_+,
 * and E epochs are the E-fold products, each direction by itself.
 *
 * Zero-out, adaptive queries. Condition on the other records' batches. Against the world without
 * the record, its world has the density (1/t) sum Y_i, Y_i = exp(r_i xi_i/z - r_i^2/(2z^2)), with
 * r_i <= 1 a function of the past and xi_i N(0, 1) given the past. Both curves are E phi of it with
 * phi convex. Y(r) is a martingale in r, so it grows in convex order with r; backwards from i = t,
 * V_i(s) = sup over r of E V_(i+1)(s + Y(r)/t) is convex and has its supremum at r = 1. So earlier
 * outputs buy nothing, and constant queries attain the law. k of t: with t' = floor(t/k), draw k
 * disjoint blocks of t' steps, then one step in each; reveal the blocks, and the same induction
 * holds in each block's sum: at most k epochs of 1 of t'. All curves fall with t: reveal a subset
 * of the steps first.
 *
 * Replace-one. One replaced record is dominated by (1/t) sum N(+e_i/z, I) against (1/t) sum
 * N(-e_i/z, I): given the past, A - cB is largest in convex order for opposite moves of full
 * length. With X*_i = exp(-x_i/z - 1/(2z^2)), X_i and -X*_i both grow with x_i, so X_i - c X*_i is
 * larger in convex order than with an independent copy (lower end: the pair "remove, then add"),
 * and mean X_i - c mean X*_i is smaller than with the comonotone coupling of the two means (upper
 * end). Both are one-dimensional and survive composition. For t = 2 the loss is (x_1 + x_2)/z:
 * sqrt(2E)/z-GDP, which bounds t > 2 too; t = 1 is 2 sqrt(E)/z-GDP.
 *
 * Facts. f_n is the density of l for n batches, K = n z^2.
 *  F1 f_n and p_n are a Gaussian of variance 1/K convolved with a probability law (rotate x into
 *     its mean and the rest), so sup f_n, sup p_n <= sqrt(K/2pi).
 *  F2 |f_n(l + iy)| <= e^(K y^2/2) f_n(l).
 *  F3 (log f_n)'' >= -K. On [u, v] f <= e^(K(v-u)^2/8) max(f(u), f(v)), and f(x) <= e^(K
 *     r^2/2)/(2r) times its integral over [x-r, x+r].
 *  F4 both pass to delta, to products f_a(x) f_b(x-d) at fixed d (K_a + K_b) and to m-fold
 *     convolutions (K/m).
 *
 * a + b batches. With n = a + b, d = l_a - l_b and s(d) = -log((a + b e^-d)/n)
 *     f_n(l) = int P_d(l + s(d)) dd,  P_d(x) = f_a(x) f_b(x - d),
 * a trapezoid sum over d = D k, D a multiple of the lattice's h, so that P_d is formed on the
 * lattice and only this product is interpolated: Lagrange, 16 nodes at -7 .. 8 steps, of P_d e^(-p
 * x/h).
 *
 * Errors, relative to the sum f~, all added at each node:
 *  1 What the tables carry: sum |w| P (E_a + E_b + E_a E_b).
 *  2 Trapezoid rule. Under d -> d + i alpha the imaginary parts of the arguments add up to alpha,
 *    and the real parts both move by the same amount in [0, s], s = -log cos(alpha/2). By F2 and F3
 *    the error is at most 2/(e^g - 1) (f_n(l) + f_n(l + s)), g = 2 pi alpha/D - z^2 max(a, b)
 *    alpha^2/2 - z^2 n s^2/8. Any larger s will do: here a multiple of the output step.
 *  3 Interpolation. By Cauchy's formula on the circle of radius R = 32 steps about the cell's
 *    centre, omega(y) = prod (y^2 - (j + 1/2)^2), the error is at most the sum over arcs {R cos
 *    theta in [rho, rho + 1]} of A_rho e^(3|p|/2 - p rho) times P_d within [rho - 1/2, rho + 3/2]
 *    steps; summed over d that is f_n (with 2) at the four nodes about rho, twice because each term
 *    is bounded by its larger end: 2 e^(5 K h^2/8) sum A_rho e^(3|p|/2 - p rho) max(f_n(rho - 1) ..
 *    f_n(rho + 2)).
 *  4 Rounding: weights, tilt, product, 16 taps, sums of 8 terms and of those: (28 + terms/8) u. The
 *    position l + s(d) is off by `slip` steps; the weights then are off by slip times their largest
 *    derivative, which is added to |w| in the sums of item 1.
 *  5 Missing. Let mu bound the mass outside of a table, under P and Q, as an integral and as h
 *    times the sum over nodes, and nu the supremum there of f max(1, e^l). What a tap q reads
 *    outside amounts to at most M min(1, e^-(l + (q-1)h)), M = 4 (n/min(a, b)) (mu_a sup f_b + mu_b
 *    sup f_a + nu_a + nu_b). Proof: where d <= 0, x_b is beyond l, sup f_b e^x bounds the other
 *    factor, and the nodes x_a are spread out: with r = 0.6/sqrt(K_a), F3 turns D times their sum
 *    into at most 1.71 (n/b) times the mass outside, apart from nodes within r of the table's ends,
 *    whose number gives 1.2 (n/b) nu_a. Where d > 0, nu_a bounds f_a e^x, and the f_b add up to
 *    1.71 (n/a). So 1.71 would do for mu and 2.92 for nu in place of 4. It needs D sqrt(K) <= 1,
 *    h sqrt(K) <= 1/8 and |a - b| <= 1. With the weights:
 *    times lam = e^|p| sum max|w_q| e^(-pq) max(1, e^((1-q)h)).
 *    Masses: for each d a tap takes nodes to nodes one to one, so that the missing parts of all
 *    nodes add up to at most lam (mu_a + mu_b); E[e^l; bad] is the same mixture under P. An
 *    integral over cells is at most twice e^(K h^2/8) the sum over their nodes.
 *  6 Upper values of f_n, for 2 and 3: at every 32nd node the sum over d of the larger of two nodes
 *    (F3), in between F3 again, from right to left because of s. Three times replaced by f~ +
 *    error.
 *  A table is cut where E > 1000; what is cut goes to mu and nu.
 *  7 E epochs: plain convolution, D sum f_A(x) f_B(l - x): trapezoid 2 e^(-2 pi^2/(D^2 (K_A +
 *    K_B))) relative, rounding (terms + 12) u; missing (D/h) (mu_A sup f_B + mu_B sup f_A) min(1,
 *    e^-l).
 *  8 Curve: the weights W_r of f(h (j + r)) are integrals of the tilted interpolant times e^u - 1,
 *    from epsilon on. Its error is 3 with g(w) = e^epsilon int (e^u - 1) f(epsilon + h w + u) du,
 *    which falls with w, in place of f_n. What is outside adds (sum |B| + sum |C| + 1) mu and the
 *    nearest taps' nu.
 * exp, log and their kin are taken to be within an ulp, those of long double within four.
 * Only the final roots choose a side. Nothing is clamped: what is not certain is an error.
 *
 * The source of the two curves is Feldman and Shenfeld (2025); dominating pairs compose adaptively
 * (Zhu, Dong and Wang 2022).
 * ============================================================================================== */
