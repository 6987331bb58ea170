/* ------------------------------------------------------------------------------------------------
 * Audit: a hook that sees what a run adds noise to, draws, charges and releases
 *
 * For tests of a program's privacy, not for production: the hook sees private numbers. A program
 * that defines DPPAIR_AUDIT(event) before the first include, as an expression of type int, is told
 * each event; without it no code is compiled for them. A run that is recorded and then repeated on
 * neighbouring data, with the recorded outputs put in place, shows how far each release moved.
 * Relies on status.h.
 * ---------------------------------------------------------------------------------------------- */

#ifdef DPPAIR_AUDIT

/* What a dppair_event tells of. */
typedef enum dppair_event_kind {
  DPPAIR_EVENT_ADD = 1,     /* noise is about to be added to `values` */
  DPPAIR_EVENT_ADDED = 2,   /* it was added, or `status` says why not */
  DPPAIR_EVENT_DRAWN = 3,   /* records, pairs or bytes were drawn; "key": bytes of the system are
                             * about to be */
  DPPAIR_EVENT_CHARGED = 4, /* an account was charged; copies, on which steps are tried, too */
  DPPAIR_EVENT_RELEASE = 5, /* a release knows its sensitivity; it adds its noise next */
  DPPAIR_EVENT_TRIED = 6,   /* the last charge of this account was tried on a copy, and is void */
  DPPAIR_EVENT_FITTED = 7   /* a perturbed fit begins (`values` is NULL), or was released as them */
} dppair_event_kind;

/* What an event does not have is 0. */
typedef struct dppair_event {
  dppair_event_kind kind;
  const char *name;     /* the law of the noise, what is drawn, or the mechanism */
  void *values;         /* the vector, or the numbers drawn, */
  size_t n, width;      /* of n elements of `width` bytes: double or float, size_t, bytes */
  size_t *count;        /* DRAWN: how many records or pairs were drawn */
  double scale;         /* of the noise: sigma, the scale of Laplace and l2 noise, the variance of
                         * Skellam noise that no plan releases; of a draw by allocation: its step */
  double sensitivity;   /* RELEASE: how far `values` can move; CHARGED: what the caller said */
  const void *what;     /* DRAWN, RELEASE: a dppair_sampling; CHARGED: a dppair_ledger_entry;
                         * FITTED: a dppair_fit_ */
  const void *by;       /* the dppair_rng, dppair_accountant or dppair_release */
  dppair_status status; /* ADDED, DRAWN: what the function is about to return; TRIED: of the try */
} dppair_event;

/* Tells an event. Where the hook answers 1 to ADD or DRAWN it has written a recorded output to
 * `values` and `count`: no noise is then added to it, and the function returns OK. */
DPPAIR_API int dppair_audited_(dppair_event_kind kind, const char *name, void *values, size_t n,
                               size_t width, size_t *count, double scale, double sensitivity,
                               const void *what, const void *by, dppair_status status) {
  dppair_event event;
  memset(&event, 0, sizeof event);
  event.kind = kind;
  event.name = name;
  event.values = values;
  event.n = n;
  event.width = width;
  event.count = count;
  event.scale = scale;
  event.sensitivity = sensitivity;
  event.what = what;
  event.by = by;
  event.status = status;
  return DPPAIR_AUDIT(&event);
}

#define DPPAIR_AUDITED_(event) dppair_audited_ event

#else

#define DPPAIR_AUDITED_(event) 0

#endif
