/** Checks of sub-resources: the children of a parent are its own, and only its own. */
import { isObject } from '@nomen/core/openapi'
import type { Check } from '../check.ts'
import { expect, expectStatus, OpenPoint, Skip } from '../finding.ts'
import type { Collection } from '../surface.ts'
import type { Survey } from '../survey.ts'

interface Ancestor {
  readonly names: readonly string[]
  readonly identity: string
}

/** A child that names its parent names the one of the path. */
async function belongs(survey: Survey): Promise<void> {
  const { answer, results } = await survey.first()
  const ancestors = (await ancestorsOf(survey)).filter(({ names }) =>
    names.some((name) => results[0] && name in results[0]),
  )
  if (ancestors.length === 0) throw new Skip('its records do not show their parent, or there are none')
  for (const { names, identity } of ancestors)
    for (const record of results) {
      const name = names.find((one) => one in record)
      const value = name === undefined ? undefined : record[name]
      // a text may be the parent's display value
      if (typeof value !== 'number') continue
      expect(`${value}` === identity, () => ({
        expected: `${name} ${identity}, as in the path`,
        actual: `it is ${value}`,
        answer,
      }))
    }
}

async function ancestorsOf(survey: Survey): Promise<Ancestor[]> {
  const template = survey.collection.path.split('/')
  const place = (await survey.place()).split('/')
  return template.flatMap((part, at) => {
    if (!part.startsWith('{')) return []
    const noun = (template[at - 1] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const names = [part.slice(1, -1), noun, `${noun}Id`, `${noun}Ref`].filter((name) => name !== 'id')
    return [{ names, identity: decodeURIComponent(`${place[at]}`) }]
  })
}

async function missingParent(survey: Survey): Promise<void> {
  const place = await survey.place()
  const [identity = ''] = await survey.parentIdentities()
  const absent = survey.absentValue(undefined, /^\d+$/.test(identity) ? 1 : identity)
  const at = place.lastIndexOf(`/${encodeURIComponent(identity)}/`)
  const path = `${place.slice(0, at)}/${absent}${place.slice(at + 1 + encodeURIComponent(identity).length)}`
  const answer = await survey.sender.get(path)
  if (answer.status === 404) return
  expectStatus(answer, 200, 400)
  const results = isObject(answer.json) ? answer.json.results : answer.json
  const count = Array.isArray(results) ? results.length : 0
  expect(count === 0, () => ({
    expected: `no children of ${absent}, which does not exist`,
    actual: `${count} came`,
    answer,
  }))
  throw new OpenPoint({
    expected: 'status 404 below a parent that does not exist',
    actual: `status ${answer.status}`,
    answer,
  })
}

/** Read below a parent that it does not belong to, a record is not there. */
async function elsewhere(survey: Survey): Promise<void> {
  const { path, read } = survey.collection
  const [, above = '', rest = ''] = /^(.*)\/\{[^}]*\}(\/[^{}]*)$/.exec(path) ?? []
  const parent = survey.world.surveyAt(above)
  if (!parent) throw new Skip(`the document offers no list at ${above}`)
  const [child] = (await survey.known()).records
  if (!child) throw new Skip('it has no records')
  const identity = survey.identityOf(child)
  const own = await survey.place()
  const base = await parent.place()
  for (const other of survey.random.some((await parent.known()).records, 5)) {
    const place = `${base}/${encodeURIComponent(parent.identityOf(other))}${rest}`
    if (place === own) continue
    const size = survey.collection.isPaginated ? ([['pageSize', `${survey.maximumSize ?? 100}`]] as const) : []
    const list = await survey.sender.get(place, size, survey.collection.list)
    const results = isObject(list.json) ? list.json.results : list.json
    if (list.status !== 200 || !Array.isArray(results)) continue
    if (results.some((one) => isObject(one) && survey.identityOf(one) === identity)) continue
    return expectStatus(await survey.sender.get(`${place}/${encodeURIComponent(identity)}`, [], read), 404)
  }
  throw new Skip('no other parent is known that lacks this child')
}

const isNested = (collection: Collection) => collection.isNested && collection.variantOf === undefined

export const nestedChecks: readonly Check[] = [
  { code: 'nested-belongs', isMeant: isNested, run: belongs },
  { code: 'nested-missing-parent', isMeant: isNested, run: missingParent },
  {
    code: 'nested-elsewhere',
    isMeant: isNested,
    unfit: ({ collection: { read, path } }) => (read ? undefined : `the document offers no GET ${path}/{…}`),
    run: elsewhere,
  },
]
