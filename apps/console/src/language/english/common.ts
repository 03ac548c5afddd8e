/** Words that several views use. */
export const commonMessages = {
  cancel: 'Cancel',
  close: 'Close',
  /** The name of the key on keyboards with labels in this language. */
  controlKey: 'Ctrl',
  delete: 'Delete',
  deleteMenu: 'Delete …',
  details: 'Details',
  done: 'Done',
  loading: 'Loading',
  missingScope: (scopes: readonly string[]) =>
    `You need the ${scopes.length === 1 ? 'scope' : 'scopes'} ${scopes.join(', ')}.`,
  searching: 'Searching …',
  /** A boolean as an option. */
  optionNo: 'No',
  /** The absence of a value as an option. */
  optionNone: 'None',
  optionYes: 'Yes',
  open: 'Open',
  operations: 'Operations',
  overview: 'Overview',
  schema: 'Schema',
  stop: 'Stop',
  tryAgain: 'Try again',
  usage: 'Usage',
  utc: 'UTC',
  /** A boolean as a value. */
  valueNo: 'no',
  valueNone: 'none',
  valueYes: 'yes',
  /** The accessible name of the dash that stands for a missing value. */
  noValue: 'no value',
}
