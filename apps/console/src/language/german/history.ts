/** History in German. */
import type { Messages } from '../english/english.ts'
import type { Format } from '../format.ts'
import { capitalized } from './noun.ts'

const kinds: { readonly [kind: string]: string } = {
  CREATED: 'Angelegt',
  CHANGED: 'Geändert',
  DELETED: 'Gelöscht',
  LINKED: 'Verknüpft',
  UNLINKED: 'Verknüpfung entfernt',
  ERASED: 'Verlauf gelöscht',
  STARTED: 'Verlauf begonnen',
  MIGRATED: 'Migriert',
}

export function historyMessages({ and }: Format): Messages['history'] {
  return {
    after: 'Nachher',
    before: 'Vorher',
    by: (user, application) =>
      user === undefined ? (application ?? 'Unbekannt') : application === undefined ? user : `${user}, ${application}`,
    changedBy: (who, fields) => `${who} hat geändert: ${and(fields)}`,
    deleted: (noun) => `${capitalized(noun)} wurde gelöscht`,
    empty: 'Keine Änderungen.',
    erased: 'Frühere Einträge wurden gelöscht.',
    kind: (kind) => kinds[kind] ?? kind,
    migrated: (fields) => `Eine Migration hat Felder aller Datensätze geändert: ${and(fields)}.`,
    noScope: 'Sie benötigen den Scope change:read, um den Verlauf zu sehen.',
    now: 'Jetzt',
    restoreButton: 'Wiederherstellen',
    restored: (name) => `${name} wiederhergestellt.`,
    restoredValue: 'Wiederhergestellt',
    restoreNothing: 'Der Datensatz hat diese Werte bereits.',
    restoreTitle: 'Diese Werte wiederherstellen?',
    restoreValue: 'Diesen Wert wiederherstellen',
    restoreVersion: 'Diese Version wiederherstellen',
    started: 'Hier beginnt der Verlauf.',
    title: 'Verlauf',
  }
}
