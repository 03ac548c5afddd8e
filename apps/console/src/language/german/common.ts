/** Words that several views use, in German. */
import type { Messages } from '../english/english.ts'

export const commonMessages: Messages['common'] = {
  cancel: 'Abbrechen',
  close: 'Schließen',
  delete: 'Löschen',
  deleteMenu: 'Löschen …',
  details: 'Details',
  done: 'Fertig',
  missingScope: (scopes) => `Sie benötigen ${scopes.length === 1 ? 'den Scope' : 'die Scopes'} ${scopes.join(', ')}.`,
  loading: 'Wird geladen',
  searching: 'Wird gesucht …',
  optionNo: 'Nein',
  optionNone: 'Kein Wert',
  optionYes: 'Ja',
  open: 'Öffnen',
  overview: 'Übersicht',
  schema: 'Schema',
  operations: 'Operationen',
  stop: 'Anhalten',
  tryAgain: 'Erneut versuchen',
  usage: 'Nutzung',
  utc: 'UTC',
  valueNo: 'nein',
  valueNone: 'kein Wert',
  valueYes: 'ja',
  noValue: 'kein Wert',
}
