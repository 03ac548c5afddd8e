/** Records: form, creation, deletion, conflicts, links. */
import type { Format } from '../format.ts'
import { inSentence, pluralOf, withArticle } from './noun.ts'

export function recordMessages({ number, plural, and, or }: Format) {
  const records = (count: number, noun: string) =>
    `${number(count)} ${plural(count, { one: noun, other: pluralOf(noun) })}`
  return {
    atLeast: (count: string) => `At least ${count}`,
    backTo: (title: string) => `Back to ${title}`,
    conflict: 'Your changes are not saved yet. Choose a value for each field:',
    conflictDiscard: 'Discard my changes',
    conflictField: 'Field',
    conflictMerge: 'Merge',
    conflictMine: 'Yours',
    conflictOverwrite: 'Overwrite',
    conflictTheirs: 'Theirs',
    conflictTitle: 'Someone else changed this record',
    create: 'Create',
    createAnother: 'Create and add another',
    createReference: (noun: string, typed: string) => (typed === '' ? `New ${noun} …` : `New ${noun} “${typed}” …`),
    created: (name: string) => `${name} created.`,
    copyOf: 'Copy of',
    createdAddNext: (name: string) => `${name} created. Add the next one.`,
    defaultFrom: (field: string) => `Same as ${field}`,
    deleted: (name: string) => `${name} deleted.`,
    deleteQuestion: (noun: string, name: string) => `Delete ${noun} “${name}”?`,
    /** Before a delete: the records that Undo can restore. */
    deleteWarning: (undo: 'nothing' | 'new-records' | 'everything', count: number) => {
      if (undo === 'nothing') return 'You cannot undo this.'
      if (undo === 'everything') return 'You can undo this.'
      const records = plural(count, { one: 'the record', other: 'the records' })
      return `You can restore ${records} afterwards, with ${plural(count, { one: 'a new ID', other: 'new IDs' })}.`
    },
    /** Records that reference the deleted one, or are linked with it. */
    dependentRecords: (count: number, noun: string, field: string | undefined) =>
      records(count, noun) + (field === undefined ? '' : ` (${field})`),
    dependentsTitle: (count: number) => plural(count, { one: 'Used by:', other: 'These records are used by:' }),
    derived: (noun: string, through: string | undefined) =>
      through === undefined
        ? `Read-only: these ${pluralOf(noun)} are related through other records.`
        : `Read-only: these ${pluralOf(noun)} are related through ${pluralOf(through)}. Change the ${pluralOf(through)} instead.`,
    derivedRecord: (noun: string) => `This ${noun} is shared, so it is read-only here.`,
    discard: 'Discard changes',
    drawerBack: 'Back to the previous record',
    drawerPosition: (position: number, count: number) => `${number(position)} of ${number(count)}`,
    duplicate: 'Duplicate',
    example: (value: unknown) => `Example: ${value}`,
    inUtc: 'In UTC',
    inLocalTime: 'In local time',
    localTime: (time: string) => `In UTC. Local time: ${time}`,
    utcTime: (time: string) => `In local time. In UTC: ${time}`,
    now: 'Now',
    link: (count: number) => (count > 1 ? `Link ${number(count)} records` : 'Link'),
    linkChoose: (noun: string) => `Choose ${withArticle(noun)}`,
    linked: (names: readonly string[], count: number, noun: string, to: string) =>
      `${names.length === count ? and(names) : records(count, noun)} linked with ${to}.`,
    linkOne: (noun: string) => `Link ${withArticle(noun)}`,
    nextRecord: 'Next record',
    newRecord: (noun: string) => `New ${noun}`,
    nothingFound: 'Nothing found.',
    noDependents: (count: number) => plural(count, { one: 'Nothing else uses it.', other: 'Nothing else uses them.' }),
    notFound: (name: string) => `${name} not found`,
    noValue: 'No value',
    notBoolean: 'Enter true or false.',
    notChoice: (choices: readonly string[]) => `Enter ${or(choices)}.`,
    notDate: 'Enter a date such as 2026-12-31.',
    notDecimal: 'Enter a decimal number such as 12.50.',
    notEmail: 'Enter an e-mail address such as ada@example.com.',
    notInteger: 'Enter a whole number.',
    notJson: 'Enter valid JSON: an object such as {"a": 1}, or an array such as [1, 2].',
    notNumber: 'Enter a number.',
    notTime: 'Enter a date and time such as 2026-12-31T23:59:00Z.',
    notUrl: 'Enter a URL such as https://example.com.',
    openList: 'Open as list',
    openReference: (noun: string) => `Open ${noun}`,
    openPage: 'Open page',
    openUrl: 'Open URL',
    openShared: (noun: string) => `Open the ${noun}`,
    optionsShown: (shown: number, all: number) => `${number(shown)} of ${number(all)} shown`,
    ownedRecords: (count: number, noun: string) => `${records(count, noun)} (also deleted)`,
    pickColor: (field: string) => `Pick a color for ${field}`,
    previousRecord: 'Previous record',
    readOnly: 'Details',
    related: 'Related records',
    /** The records of a noun that reference a record by a field. */
    relatedBy: (plural: string, field: string) => `${plural} (${field})`,
    required: (field: string) => `${field} is required.`,
    restore: 'Undo',
    restored: (noun: string, id: unknown) => `The ${noun} ${id} was restored.`,
    restoredAll: (count: number) => `${number(count)} restored.`,
    restoredAs: (noun: string, id: unknown, oldId: unknown, children: readonly string[]) =>
      `Restored as ${noun} ${id} (was ${oldId})${without(children)}.`,
    restoredSeveral: (count: number, children: readonly string[]) =>
      `${number(count)} restored with new IDs${without(children)}.`,
    restoreFailed: (count: number, all: number, reasons: string) =>
      all === 1 ? `Not restored: ${reasons}` : `${number(count)} of ${number(all)} restored. Failed: ${reasons}`,
    sameOnly: (fields: readonly string[]) => `Show only records with the same ${and(fields.map(inSentence))}`,
    save: 'Save',
    saved: (name: string) => `${name} saved.`,
    systemFields: 'System fields (read-only)',
    tooEarly: (minimum: string) => `Must not be before ${minimum}.`,
    tooLarge: (maximum: string) => `Must be at most ${maximum}.`,
    tooLate: (maximum: string) => `Must not be after ${maximum}.`,
    tooLong: (maximum: number, length: number) =>
      `Must have at most ${number(maximum)} characters, not ${number(length)}.`,
    tooShort: (minimum: number) => `Must have at least ${number(minimum)} characters.`,
    tooSmall: (minimum: string) => `Must be at least ${minimum}.`,
    unknownLinks: (noun: string) => `Linked ${pluralOf(noun)} (number unknown)`,
    unsaved: (fields: readonly string[]) => `Not saved: ${fields.join(', ')}`,
    writeEmail: 'Send an e-mail',
    wrongPattern: (pattern: string) => `Must match the pattern ${pattern}.`,
  }

  function without(children: readonly string[]): string {
    return children.length === 0 ? '' : `, without ${and(children.map(pluralOf))}`
  }
}
