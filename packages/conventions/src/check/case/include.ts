/** Checks for include: the record is listed despite the filters, counted, and in sort order. */
import type { Check } from '../check.ts'
import { expect, Skip } from '../finding.ts'
import type { Survey } from '../survey.ts'
import { type Contrast, contrasts, filteredPage, isDefault } from './filter.ts'

async function checkPresent(survey: Survey): Promise<void> {
  for (const { name, value, notMatching } of (await contrasts(survey)).slice(0, 3)) {
    const page = await filteredPage(survey, [
      [name, value],
      ['include', notMatching],
    ])
    if (!page.isWhole) continue
    expect(page.identities.includes(notMatching), () => ({
      expected: `record ${notMatching} in the results, because it is included`,
      actual: 'it is missing',
      response: page.response,
    }))
  }
}

async function checkCounted(survey: Survey): Promise<void> {
  for (const { name, value, notMatching, matching } of (await contrasts(survey)).slice(0, 3)) {
    const withoutInclude = await filteredPage(survey, [[name, value]])
    // A record that also matches the filter is counted once.
    for (const [identity, added] of [
      [notMatching, 1],
      [matching, 0],
    ] as const) {
      const page = await filteredPage(survey, [
        [name, value],
        ['include', identity],
      ])
      expect(page.total === withoutInclude.total + added, () => ({
        expected: `${withoutInclude.total + added} records: ${withoutInclude.total} of the filter and ${added} of include`,
        actual: `${page.total} records`,
        response: page.response,
      }))
    }
  }
}

/** On pages of one record, the included record has the same order as in the list without filters. */
async function checkPosition(survey: Survey): Promise<void> {
  const { records, isWhole, note } = await survey.visitedRecords()
  if (!isWhole) throw new Skip(`the sort order is unknown: ${note}`)
  const positions = new Map(records.map((record, index) => [survey.identityOf(record), index]))
  const contrast = await lateContrast(survey, positions)
  if (!contrast) throw new Skip('no filter excludes a record that sorts after a matching record')
  const { name, value, identity } = contrast
  const withoutInclude = await filteredPage(survey, [[name, value]])
  const order = [...withoutInclude.identities, identity].sort(
    (a, b) => (positions.get(a) ?? 0) - (positions.get(b) ?? 0),
  )
  const index = order.indexOf(identity)
  for (const pageNumber of new Set([1, index + 1])) {
    const page = await survey.readPage([
      [name, value],
      ['include', identity],
      ['pageSize', '1'],
      ['pageNumber', `${pageNumber}`],
    ])
    const [actual] = page.results.map((record) => survey.identityOf(record))
    expect(actual === order[pageNumber - 1], () => ({
      expected: `record ${order[pageNumber - 1]} on page ${pageNumber} with pageSize 1; the included record ${identity} is on page ${index + 1}`,
      actual: `record ${actual ?? 'none'}`,
      response: page.response,
    }))
  }
}

async function lateContrast(
  survey: Survey,
  positions: ReadonlyMap<string, number>,
): Promise<(Contrast & { readonly identity: string }) | undefined> {
  const { records } = await survey.visitedRecords()
  for (const contrast of await contrasts(survey)) {
    const withoutInclude = await filteredPage(survey, [[contrast.name, contrast.value]])
    const [first] = withoutInclude.identities
    if (!withoutInclude.isWhole || first === undefined) continue
    const hidden = records
      .map((record) => survey.identityOf(record))
      .filter(
        (identity) =>
          !withoutInclude.identities.includes(identity) && (positions.get(identity) ?? 0) > (positions.get(first) ?? 0),
      )
    const [identity] = survey.random.sample(hidden, 1)
    if (identity !== undefined) return { ...contrast, identity }
  }
  return undefined
}

const skipWithoutInclude = ({ collection }: Survey) =>
  collection.list.parameters.some(({ name }) => name === 'include') ? undefined : 'the list has no parameter include'

export const includeChecks: readonly Check[] = [
  { code: 'include-present', appliesTo: isDefault, skipReason: skipWithoutInclude, run: checkPresent },
  { code: 'include-counted', appliesTo: isDefault, skipReason: skipWithoutInclude, run: checkCounted },
  {
    code: 'include-position',
    appliesTo: (collection) => isDefault(collection) && collection.isPaginated,
    skipReason: skipWithoutInclude,
    run: checkPosition,
  },
]
