/** Checks for include: the record is listed despite the filters, counted, and in sort order. */
import type { Check } from '../check.ts'
import { expect, Skip } from '../finding.ts'
import type { Survey } from '../survey.ts'
import { type Contrast, contrasts, filteredPage, isDefault } from './filter.ts'

async function present(survey: Survey): Promise<void> {
  for (const { name, value, outside } of (await contrasts(survey)).slice(0, 3)) {
    const page = await filteredPage(survey, [
      [name, value],
      ['include', outside],
    ])
    if (!page.isWhole) continue
    expect(page.identities.includes(outside), () => ({
      expected: `record ${outside} in the results, because it is included`,
      actual: 'it is missing',
      response: page.response,
    }))
  }
}

async function checkCounted(survey: Survey): Promise<void> {
  for (const { name, value, outside, inside } of (await contrasts(survey)).slice(0, 3)) {
    const alone = await filteredPage(survey, [[name, value]])
    // A record that also matches the filter is counted once.
    for (const [identity, more] of [
      [outside, 1],
      [inside, 0],
    ] as const) {
      const page = await filteredPage(survey, [
        [name, value],
        ['include', identity],
      ])
      expect(page.total === alone.total + more, () => ({
        expected: `${alone.total + more} records: ${alone.total} of the filter and ${more} of include`,
        actual: `${page.total} records`,
        response: page.response,
      }))
    }
  }
}

/** On pages of one record, the included record has the same order as in the list without filters. */
async function position(survey: Survey): Promise<void> {
  const { records, isWhole, note } = await survey.known()
  if (!isWhole) throw new Skip(`the sort order is unknown: ${note}`)
  const natural = new Map(records.map((record, at) => [survey.identityOf(record), at]))
  const chosen = await lateContrast(survey, natural)
  if (!chosen) throw new Skip('no filter matches a record before one that it excludes')
  const { name, value, identity } = chosen
  const alone = await filteredPage(survey, [[name, value]])
  const order = [...alone.identities, identity].sort((a, b) => (natural.get(a) ?? 0) - (natural.get(b) ?? 0))
  const at = order.indexOf(identity)
  for (const pageNumber of new Set([1, at + 1])) {
    const page = await survey.page([
      [name, value],
      ['include', identity],
      ['pageSize', '1'],
      ['pageNumber', `${pageNumber}`],
    ])
    const [actual] = page.results.map((record) => survey.identityOf(record))
    expect(actual === order[pageNumber - 1], () => ({
      expected: `record ${order[pageNumber - 1]} on page ${pageNumber} with pageSize 1; the included record ${identity} is on page ${at + 1}`,
      actual: `record ${actual ?? 'none'}`,
      response: page.response,
    }))
  }
}

async function lateContrast(
  survey: Survey,
  natural: ReadonlyMap<string, number>,
): Promise<(Contrast & { readonly identity: string }) | undefined> {
  const { records } = await survey.known()
  for (const contrast of await contrasts(survey)) {
    const alone = await filteredPage(survey, [[contrast.name, contrast.value]])
    const [first] = alone.identities
    if (!alone.isWhole || first === undefined) continue
    const hidden = records
      .map((record) => survey.identityOf(record))
      .filter(
        (identity) => !alone.identities.includes(identity) && (natural.get(identity) ?? 0) > (natural.get(first) ?? 0),
      )
    const [identity] = survey.random.sample(hidden, 1)
    if (identity !== undefined) return { ...contrast, identity }
  }
  return undefined
}

const including = ({ collection }: Survey) =>
  collection.list.parameters.some(({ name }) => name === 'include') ? undefined : 'the list has no parameter include'

export const includeChecks: readonly Check[] = [
  { code: 'include-present', appliesTo: isDefault, skipReason: including, run: present },
  { code: 'include-counted', appliesTo: isDefault, skipReason: including, run: checkCounted },
  {
    code: 'include-position',
    appliesTo: (collection) => isDefault(collection) && collection.isPaginated,
    skipReason: including,
    run: position,
  },
]
