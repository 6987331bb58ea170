/* ------------------------------------------------------------------------------------------------
 * Allocated records on the lattice
 *
 * The loss of one epoch of allocated records is a table, no mixture of branches. Here
 * its search nodes, its range and its cells are made, so that it composes with any other step. (An
 * epoch is interactive, and other steps may run between its batches: Vadhan and Zhang 2023,
 * concurrent composition.) Relies on answers.h and the accountant's cells.h.
 *
 * A zeroed record has the table in both directions. A replaced one has two pairs (theory.h): one
 * that dominates, a list of atoms, and one below, "remove, then add": the table forwards and then
 * backwards. Each is composed by itself, and gives one side of the answer.
 * ---------------------------------------------------------------------------------------------- */

/* The law that was made last, which lies at the front of what is left of the workspace; its noise
 * is 0 if there is none. */
DPPAIR_API dppair_allocated_law_ dppair_allocated_law_of_(const dppair_contour_ *s) {
  dppair_allocated_law_ made;
  memset(&made, 0, sizeof made);
  if (s->made) memcpy(&made, s->spare, sizeof made);
  return made;
}

/* What one side of the law consists of: the table forwards or backwards, or the atoms. */
enum { DPPAIR_TABLE_FORWARD_ = 0, DPPAIR_TABLE_BACKWARD_ = 1, DPPAIR_TABLE_ATOMS_ = 2 };

/* The parts of the law: their kinds, and how many there are. */
DPPAIR_API int dppair_allocated_parts_(int part[2], const dppair_contour_ *s,
                                       const dppair_law_ *law) {
  part[0] = !law->replaces && s->backward ? DPPAIR_TABLE_BACKWARD_ : DPPAIR_TABLE_FORWARD_;
  part[1] = DPPAIR_TABLE_BACKWARD_;
  if (law->replaces && !s->below) part[0] = DPPAIR_TABLE_ATOMS_;
  return law->replaces && s->below ? 2 : 1;
}

/* Makes the law's table in what is left of the workspace, unless it was the last one. */
DPPAIR_RARE_ dppair_status dppair_allocated_make_(dppair_contour_ *s, const dppair_law_ *law,
                                                  int atoms) {
  dppair_allocated_law_ made = dppair_allocated_law_of_(s);
  double *const work = s->spare + DPPAIR_ALLOCATED_LAW_;
  dppair_pool_ rest;
  dppair_status status;
  size_t room;
  if (made.batches == law->batches && made.atoms == atoms && !(made.noise < law->noise) &&
      !(made.noise > law->noise))
    return DPPAIR_OK;
  s->made = 0;
  if (s->spares < DPPAIR_ALLOCATED_LAW_) return DPPAIR_ERR_WORKSPACE;
  room = s->spares - DPPAIR_ALLOCATED_LAW_;
  status = atoms
               ? dppair_allocation_atoms_(&made.pair, law->noise, law->batches, work, room)
               : dppair_allocation_build_(&made.table, &rest, law->noise, law->batches, work, room);
  if (status != DPPAIR_OK) return status;
  made.noise = law->noise;
  made.batches = law->batches;
  made.atoms = atoms;
  memcpy(s->spare, &made, sizeof made);
  s->made = 1;
  return DPPAIR_OK;
}

/* The losses of a part lie in [*low, *high]. */
DPPAIR_API void dppair_allocated_span_(double *low, double *high, const dppair_allocated_law_ *made,
                                       int part) {
  const double h = made->atoms ? made->pair.h : made->table.h;
  const double first = (double)(made->atoms ? made->pair.first : made->table.first);
  const double last = first + (double)(made->atoms ? made->pair.size : made->table.size) - 1.0;
  *low = h * (part == DPPAIR_TABLE_BACKWARD_ ? -last : first);
  *high = h * (part == DPPAIR_TABLE_BACKWARD_ ? -first : last);
}

/* Widens [*low, *high] by all losses of the law. */
DPPAIR_RARE_ dppair_status dppair_allocation_widen_(double *low, double *high, dppair_contour_ *s,
                                                    const dppair_law_ *law) {
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  for (i = 0; i < parts; i++) {
    double from, to;
    dppair_allocated_law_ made;
    const dppair_status status = dppair_allocated_make_(s, law, part[i] == DPPAIR_TABLE_ATOMS_);
    if (status != DPPAIR_OK) return status;
    made = dppair_allocated_law_of_(s);
    dppair_allocated_span_(&from, &to, &made, part[i]);
    if (from < *low) *low = from;
    if (to > *high) *high = to;
  }
  return DPPAIR_OK;
}

/* Lists a part by at most `most` search nodes, each with the mean of its losses. */
DPPAIR_API size_t dppair_allocated_nodes_(double *loss, double *mass, size_t most,
                                          const dppair_allocated_law_ *made, int part) {
  const size_t size = made->atoms ? made->pair.size : made->table.size, bin = size / most + 1;
  const double sign = part == DPPAIR_TABLE_BACKWARD_ ? -1.0 : 1.0;
  size_t i, count = 0;
  for (i = 0; i < size; i += bin) {
    double sum = 0.0, mean = 0.0;
    size_t j;
    for (j = i; j < size && j < i + bin; j++) {
      const double at = made->atoms ? made->pair.h * (double)(made->pair.first + (int64_t)j)
                                    : made->table.h * (double)(made->table.first + (int64_t)j);
      const double own =
          made->atoms ? made->pair.mass[j]
                      : made->table.h * made->table.f[j] * (sign > 0.0 ? dppair_exp_(at) : 1.0);
      sum += own;
      mean += own * sign * at;
    }
    if (!(sum > 0.0)) continue;
    loss[count] = mean / sum;
    mass[count++] = sum;
  }
  return count;
}

enum { DPPAIR_ALLOCATED_COARSE_ = 40 }; /* nodes of each part where there are two */

/* The search nodes of step t. */
DPPAIR_RARE_ dppair_status dppair_allocation_search_(dppair_contour_ *s, size_t t,
                                                     const dppair_law_ *law) {
  double loss[2][DPPAIR_ALLOCATED_COARSE_], mass[2][DPPAIR_ALLOCATED_COARSE_];
  dppair_search_list_ list = dppair_search_list_of_(s->search + 2 * DPPAIR_SEARCH_NODES_ * t);
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  size_t count[2] = {1, 1}, j, k;
  dppair_allocated_law_ made;
  const dppair_status status = dppair_allocated_make_(s, law, part[0] == DPPAIR_TABLE_ATOMS_);
  if (status != DPPAIR_OK) return status;
  made = dppair_allocated_law_of_(s);
  if (parts == 1) {
    list.used =
        dppair_allocated_nodes_(list.loss, list.weight, DPPAIR_SEARCH_NODES_ / 2, &made, part[0]);
    for (j = 0; j < list.used; j++) list.weight[j] = dppair_log_(list.weight[j]);
  } else {
    for (i = 0; i < parts; i++)
      count[i] =
          dppair_allocated_nodes_(loss[i], mass[i], DPPAIR_ALLOCATED_COARSE_, &made, part[i]);
    for (j = 0; j < count[0]; j++)
      for (k = 0; k < count[1]; k++)
        dppair_search_add_(&list, loss[0][j] + loss[1][k],
                           dppair_log_(mass[0][j]) + dppair_log_(mass[1][k]));
  }
  dppair_search_add_(&list, 0.0, -HUGE_VAL);
  return DPPAIR_OK;
}

/* Puts a part on the lattice. */
DPPAIR_RARE_ dppair_status dppair_allocated_cells_(dppair_cells_ *cells,
                                                   const dppair_allocated_law_ *made, int part) {
  double low, high;
  dppair_status status = DPPAIR_OK;
  size_t i;
  dppair_allocated_span_(&low, &high, made, part);
  if (!((high - low) / cells->h < (double)cells->size - 8.0) || !(low / cells->h > -1e9))
    return DPPAIR_ERR_NO_CONVERGENCE;
  cells->first = (int64_t)dppair_floor_(low / cells->h) - 2;
  memset(cells->right, 0, cells->size * sizeof *cells->right);
  memset(cells->left, 0, cells->size * sizeof *cells->left);
  cells->infinity = cells->unseen = cells->loss_error = cells->mass_error = 0.0;
  cells->table = 0;
  if (part != DPPAIR_TABLE_ATOMS_)
    return dppair_density_cells_(cells, &made->table, part == DPPAIR_TABLE_BACKWARD_);
  cells->table = 1; /* no lower law is read from it */
  cells->infinity = made->pair.infinity;
  for (i = 0; status == DPPAIR_OK && i < made->pair.size; i++)
    if (made->pair.mass[i] > 0.0)
      status = dppair_cells_atom_(cells, made->pair.h * (double)(made->pair.first + (int64_t)i),
                                  made->pair.mass[i]);
  return status;
}

/* Multiplies the law of step t into K. */
DPPAIR_RARE_ dppair_status dppair_allocation_multiply_(dppair_lattice_ *l, dppair_cells_ *cells,
                                                       dppair_contour_ *s, size_t t,
                                                       const dppair_law_ *law) {
  int part[2], i;
  const int parts = dppair_allocated_parts_(part, s, law);
  dppair_status status = dppair_allocated_make_(s, law, part[0] == DPPAIR_TABLE_ATOMS_);
  const dppair_allocated_law_ made = dppair_allocated_law_of_(s);
  for (i = 0; status == DPPAIR_OK && i < parts; i++) {
    const double share = 1.0 / (double)parts; /* of a scale that need only be about right */
    status = dppair_allocated_cells_(cells, &made, part[i]);
    if (status == DPPAIR_OK)
      status = dppair_lattice_multiply_(l, cells, share * dppair_contour_search_log_(s, t, s->c),
                                        share * dppair_contour_search_log_(s, t, s->right),
                                        s->right, dppair_step_runs_(&s->steps[t]));
  }
  return status;
}

/*
 * dppair_renyi of a step, from the table where it allocates records: *rdp of one run, one epoch of
 * 1 of batches/group batches, the larger of both directions, or of a replaced record a/z^2. What
 * the table cuts is in it (dppair_density_log_moment_), so that it is a proof at every order: a
 * filter (dppair_filter) may charge it for an epoch. Never above plain Gaussian noise. work: as
 * many bytes as dppair_compose_workspace says of one step; other steps do not read it. Errors:
 * those of dppair_renyi, WORKSPACE, NO_CONVERGENCE.
 */
DPPAIR_API DPPAIR_MUST_CHECK dppair_status dppair_renyi_allocation(double *rdp,
                                                                   const dppair_step *step,
                                                                   double order, void *work,
                                                                   size_t bytes) {
  double unpaid, plain, remove, add, *doubles;
  dppair_density_ table;
  dppair_pool_ rest;
  dppair_law_ law;
  size_t room;
  dppair_status status;
  if (rdp == NULL) return DPPAIR_ERR_NULL;
  *rdp = 0.0;
  status = dppair_renyi(&plain, &unpaid, step, order, 0);
  if (status == DPPAIR_OK) status = dppair_law_of_(&law, step, 0.0);
  if (status != DPPAIR_OK) return status;
  *rdp = plain;
  if (law.kind != DPPAIR_LAW_TABLE_ || law.replaces) return DPPAIR_OK;
  *rdp = 0.0;
  doubles = dppair_doubles_(&room, work, bytes);
  status = dppair_allocation_build_(&table, &rest, law.noise, law.batches, doubles, room);
  if (status != DPPAIR_OK) return status;
  dppair_density_log_moment_(&remove, &table, law.noise, order);
  dppair_density_log_moment_(&add, &table, law.noise, 1.0 - order);
  remove = dppair_up_((remove > add ? remove : add) / (order - 1.0) * (1.0 + DPPAIR_RENYI_SLACK_));
  *rdp = remove < plain ? remove : plain;
  if (!(*rdp > DBL_MIN)) *rdp = DBL_MIN; /* underflow must not make a step free */
  return DPPAIR_OK;
}
