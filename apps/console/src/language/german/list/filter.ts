/** Filters and sort of a list in German. */
import type { Messages } from '../../english/english.ts'

export const filterMessages: Messages['filter'] = {
  addSort: 'Dann nach …',
  ascending: (field) => `${field}, aufsteigend`,
  between: 'Zwischen',
  choose: 'Feld oder Wert für den Filter',
  chooseHint: 'Feld oder Wert …',
  clearSort: 'Sortierung entfernen',
  copied: 'Kopiert.',
  copyValue: 'Wert kopieren',
  descending: (field) => `${field}, absteigend`,
  filterBy: (field) => `Nach ${field} filtern`,
  filterByValue: 'Nach diesem Wert filtern',
  hasNone: 'Ohne Wert',
  is: 'Ist',
  isAnyOf: 'Ist eines von',
  operator: 'Vergleich',
  preset: {
    today: 'Heute',
    'last-7-days': 'Letzte 7 Tage',
    'last-30-days': 'Letzte 30 Tage',
    'this-month': 'Dieser Monat',
  },
  presets: 'Vorgaben',
  presetValue: {
    today: 'heute',
    'last-7-days': 'letzte 7 Tage',
    'last-30-days': 'letzte 30 Tage',
    'this-month': 'dieser Monat',
  },
  removeParameter: (name) => `${name} entfernen`,
  removeSort: (field) => `Sortierung nach ${field} entfernen`,
  sort: 'Sortierung',
  to: (value) => `bis ${value}`,
  toField: (title) => `${title}, bis`,
}
