/** Verbs in paths. */

/** Words that are only verbs. `import`, `merge` and `reset` are nouns too, and not in the list. */
export const verbs = new Set(
  [
    'activate add approve cancel create deactivate delete disable enable enforce fetch find generate get insert invoke modify',
    'post put redeliver regenerate reject remove rename reopen rerun resend restart resume retrieve revoke save select',
    'send submit terminate unarchive unlock unsubscribe update upsert validate verify',
  ].flatMap((line) => line.split(' ')),
)
