// The languages of the console: the choice for a reader, and complete texts in each of them.
import { describe, expect, it } from 'vitest'
import { english } from './english/english.ts'
import { formatFor } from './format.ts'
import { german } from './german/german.ts'
import { localeOf, preferredLanguage } from './language.ts'

describe('the language of a reader', () => {
  it.each([
    [['de-DE', 'en'], 'de', 'de-DE'],
    [['de-AT'], 'de', 'de-AT'],
    [['fr', 'de', 'en-GB'], 'de', 'de'],
    [['en-GB', 'de'], 'en', 'en-GB'],
    [['fr-FR'], 'en', 'en'],
    [[], 'en', 'en'],
  ] as const)('with the browser languages %j is %s, with the formats of %s', (tags, language, locale) => {
    expect(preferredLanguage(tags)).toBe(language)
    expect(localeOf(preferredLanguage(tags), tags)).toBe(locale)
  })
})

type Tree = { readonly [key: string]: string | Tree | ((...values: readonly unknown[]) => string) }

/** Each text by its path, such as `list.refresh`. */
function textsOf(tree: Tree, path = ''): readonly (readonly [string, Exclude<Tree[string], Tree>])[] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === 'object' ? textsOf(value, `${path}${key}.`) : [[`${path}${key}`, value] as const],
  )
}

describe('the German texts', () => {
  const germanTexts = new Map(textsOf(german(formatFor('de-DE')) as unknown as Tree))
  const others = textsOf(english(formatFor('en-US')) as unknown as Tree)

  it('have the keys and placeholders of the English texts', () => {
    expect([...germanTexts.keys()].sort()).toEqual(others.map(([key]) => key).sort())
    const placeholders = (value: unknown) => (typeof value === 'function' ? value.length : 0)
    expect(others.filter(([key, value]) => placeholders(germanTexts.get(key)) !== placeholders(value))).toEqual([])
  })

  it('are not copies of the English texts, apart from words that both languages share', () => {
    const same = others.filter(([key, value]) => typeof value === 'string' && germanTexts.get(key) === value)
    expect(same.map(([, value]) => value)).toEqual([
      'Details',
      'Schema',
      'UTC',
      'Filter',
      'In UTC',
      'Details',
      'curl',
      'Status',
      'API',
      'Navigation',
      'Scopes',
      'Status',
    ])
  })
})

describe('formats', () => {
  const [us, de] = [formatFor('en-US'), formatFor('de-DE')]

  it('write numbers by locale', () => {
    expect([us.number(1234567.5), de.number(1234567.5)]).toEqual(['1,234,567.5', '1.234.567,5'])
    expect([us.short(1_234_567), de.short(1_234_567)]).toEqual(['1.2M', '1,2\u00a0Mio.'])
  })

  it('write values of records with the digits that were entered, and years without a separator', () => {
    expect([12.300000000000001, 0.1 + 0.2, 9007199254740991].map(us.value)).toEqual([
      '12.3',
      '0.3',
      '9,007,199,254,740,991',
    ])
    expect([2026, 12345, 0.123456789].map(us.value)).toEqual(['2026', '12,345', '0.123456789'])
    expect([2026, 12345, 0.123456789].map(de.value)).toEqual(['2026', '12.345', '0,123456789'])
  })

  it('write dates by locale, and leave other texts unchanged', () => {
    expect([us.day('2026-03-29'), de.day('2026-03-29')]).toEqual(['Mar 29, 2026', '29.03.2026'])
    expect(de.day('2026-01-01T01:00:00+02:00')).toBe('31.12.2025')
    expect(de.time('2026-01-01T01:00:00+02:00')).toBe('23:00')
    expect(['yesterday', '2026-13-45'].map(de.day)).toEqual(['yesterday', '2026-13-45'])
  })

  it('write lists and relative times by locale', () => {
    expect([us.or(['a', 'b']), de.or(['a', 'b'])]).toEqual(['a or b', 'a oder b'])
    expect([us.inSeconds(1), de.inSeconds(7)]).toEqual(['in 1 second', 'in 7 Sekunden'])
  })
})

describe('plural forms', () => {
  const [en, de] = [english(formatFor('en')), german(formatFor('de'))]

  it('follow the count', () => {
    expect([0, 1, 2].map((count) => en.bulk.deleteQuestion(count, 'user'))).toEqual([
      'Delete 0 users?',
      'Delete 1 user?',
      'Delete 2 users?',
    ])
    expect([1, 2].map((count) => de.bulk.deleteQuestion(count, 'user'))).toEqual([
      '1 Datensatz löschen?',
      '2 Datensätze löschen?',
    ])
    expect([1, 2000].map((count) => de.usage.unreadable(count))).toEqual([
      '1 Eintrag war nicht lesbar.',
      '2.000 Einträge waren nicht lesbar.',
    ])
  })

  it.each([
    ['user', 'No users yet.'],
    ['category', 'No categories yet.'],
    ['day', 'No days yet.'],
    ['cost box', 'No cost boxes yet.'],
    ['person', 'No people yet.'],
  ])('of the noun %s are English: %s', (noun, message) => {
    expect(en.list.noRecords(noun)).toBe(message)
  })

  it('say what a delete removes, and whether it can be undone', () => {
    expect(en.record.ownedRecords(2, 'preference')).toBe('2 preferences (also deleted)')
    expect(en.record.dependentRecords(1, 'user', 'Department')).toBe('1 user (Department)')
    expect(en.record.deleteWarning('new-records', 1)).toBe('You can restore the record afterwards, with a new ID.')
    expect(en.record.restoredAs('user', 8, 7, ['preference'])).toBe('Restored as user 8 (was 7), without preferences.')
    expect(en.record.deleteWarning('nothing', 3)).toBe('You cannot undo this.')
    expect(en.record.deleteWarning('new-records', 3)).toBe('You can restore the records afterwards, with new IDs.')
    expect(de.record.ownedRecords(1, 'preference')).toBe('1 Datensatz (Preference), wird mitgelöscht')
    expect(de.record.deleteWarning('new-records', 1)).toBe(
      'Sie können den Datensatz danach wiederherstellen, mit neuer ID.',
    )
  })
})

describe('English articles', () => {
  const { linkOne } = english(formatFor('en')).record

  it.each(['a user', 'an action', 'a role', 'a unit', 'an uncle', 'an hour', 'an order'])('%s', (expected) => {
    expect(linkOne(`${expected.split(' ')[1]}`)).toBe(`Link ${expected}`)
  })
})
