/** Checks of include: the record is there whatever the filters say, counted, and at its natural place. */
import type { Check } from '../check.ts'
import { expect, Skip } from '../finding.ts'
import type { Survey } from '../survey.ts'
import { type Contrast, contrasts, isDefault, shown } from './filter.ts'

async function present(survey: Survey): Promise<void> {
  for (const { name, value, outside } of (await contrasts(survey)).slice(0, 3)) {
    const found = await shown(survey, [
      [name, value],
      ['include', outside],
    ])
    if (!found.isWhole) continue
    expect(found.identities.includes(outside), () => ({
      expected: `record ${outside} among the results, since it is included`,
      actual: 'it is not there',
      answer: found.answer,
    }))
  }
}

async function counted(survey: Survey): Promise<void> {
  for (const { name, value, outside, inside } of (await contrasts(survey)).slice(0, 3)) {
    const alone = await shown(survey, [[name, value]])
    // one that the filter shows anyway is not counted twice
    for (const [identity, more] of [
      [outside, 1],
      [inside, 0],
    ] as const) {
      const found = await shown(survey, [
        [name, value],
        ['include', identity],
      ])
      expect(found.total === alone.total + more, () => ({
        expected: `${alone.total + more} records: ${alone.total} by the filter, and ${more} more by include`,
        actual: `there are ${found.total}`,
        answer: found.answer,
      }))
    }
  }
}

/** On pages of one record, the included one is where the list without filters has it, and nowhere else. */
async function position(survey: Survey): Promise<void> {
  const { records, isWhole, note } = await survey.known()
  if (!isWhole) throw new Skip(`its natural place is not known: ${note}`)
  const natural = new Map(records.map((record, at) => [survey.identityOf(record), at]))
  const chosen = await lateContrast(survey, natural)
  if (!chosen) throw new Skip('no filter shows a record that stands before one that it hides')
  const { name, value, identity } = chosen
  const alone = await shown(survey, [[name, value]])
  const order = [...alone.identities, identity].sort((a, b) => (natural.get(a) ?? 0) - (natural.get(b) ?? 0))
  const at = order.indexOf(identity)
  for (const pageNumber of new Set([1, at + 1])) {
    const page = await survey.page([
      [name, value],
      ['include', identity],
      ['pageSize', '1'],
      ['pageNumber', `${pageNumber}`],
    ])
    const [found] = page.results.map((record) => survey.identityOf(record))
    expect(found === order[pageNumber - 1], () => ({
      expected: `record ${order[pageNumber - 1]} on page ${pageNumber} of 1; ${identity}, the included one, is on page ${at + 1}`,
      actual: `there is ${found ?? 'nothing'}`,
      answer: page.answer,
    }))
  }
}

async function lateContrast(
  survey: Survey,
  natural: ReadonlyMap<string, number>,
): Promise<(Contrast & { readonly identity: string }) | undefined> {
  const { records } = await survey.known()
  for (const contrast of await contrasts(survey)) {
    const alone = await shown(survey, [[contrast.name, contrast.value]])
    const [first] = alone.identities
    if (!alone.isWhole || first === undefined) continue
    const hidden = records
      .map((record) => survey.identityOf(record))
      .filter((one) => !alone.identities.includes(one) && (natural.get(one) ?? 0) > (natural.get(first) ?? 0))
    const [identity] = survey.random.some(hidden, 1)
    if (identity !== undefined) return { ...contrast, identity }
  }
  return undefined
}

const including = ({ collection }: Survey) =>
  collection.list.parameters.some(({ name }) => name === 'include') ? undefined : 'it offers no parameter include'

export const includeChecks: readonly Check[] = [
  { code: 'include-present', isMeant: isDefault, unfit: including, run: present },
  { code: 'include-counted', isMeant: isDefault, unfit: including, run: counted },
  {
    code: 'include-position',
    isMeant: (collection) => isDefault(collection) && collection.isPaginated,
    unfit: including,
    run: position,
  },
]
