/** History: entries, and restoring earlier values. */
import type { Format } from '../format.ts'
import { inSentence } from './noun.ts'

const kinds: { readonly [kind: string]: string } = {
  CREATED: 'Created',
  CHANGED: 'Changed',
  DELETED: 'Deleted',
  LINKED: 'Linked',
  UNLINKED: 'Unlinked',
  ERASED: 'History erased',
  STARTED: 'History started',
  MIGRATED: 'Migrated',
}

export function historyMessages({ and }: Format) {
  return {
    after: 'After',
    before: 'Before',
    /** Who made a change: the user, the application, or both. */
    by: (user: string | undefined, application: string | undefined) =>
      user === undefined ? (application ?? 'Unknown') : application === undefined ? user : `${user}, ${application}`,
    changedBy: (who: string, fields: readonly string[]) => `${who} changed ${and(fields.map(inSentence))}`,
    deleted: (noun: string) => `This ${noun} was deleted`,
    empty: 'No changes.',
    erased: 'Earlier entries were erased.',
    kind: (kind: string) => kinds[kind] ?? kind,
    migrated: (fields: readonly string[]) => `A migration changed ${and(fields.map(inSentence))} of all records.`,
    noScope: 'You need the scope change:read to see the history.',
    now: 'Now',
    restoreButton: 'Restore',
    restored: (name: string) => `${name} restored.`,
    restoredValue: 'Restored',
    restoreNothing: 'The record already has these values.',
    restoreTitle: 'Restore these values?',
    restoreValue: 'Restore this value',
    restoreVersion: 'Restore this version',
    started: 'The history begins here.',
    title: 'History',
  }
}
