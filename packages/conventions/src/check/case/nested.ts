/** Checks for nested resources: a parent has its own children and no others. */

import { isObject } from '@nomen/core/openapi'
import type { Check } from '../check.ts'
import { expect, expectStatus, NotSpecified, Skip } from '../finding.ts'
import { absentValue } from '../request/absent-value.ts'
import type { Collection } from '../surface.ts'
import type { Survey } from '../survey.ts'

interface Ancestor {
  readonly names: readonly string[]
  readonly identity: string
}

/** A child with a reference to its parent has the parent of the path. */
async function checkParent(survey: Survey): Promise<void> {
  const { response, results } = await survey.firstPage()
  const ancestors = (await ancestorsOf(survey)).filter(({ names }) =>
    names.some((name) => results[0] && name in results[0]),
  )
  if (ancestors.length === 0) throw new Skip('the list has no records, or none has a reference to its parent')
  for (const { names, identity } of ancestors)
    for (const record of results) {
      const name = names.find((candidate) => candidate in record)
      const value = name === undefined ? undefined : record[name]
      // A string may be the label of the parent.
      if (typeof value !== 'number') continue
      expect(`${value}` === identity, () => ({
        expected: `${name} ${identity}, as in the path`,
        actual: `it is ${value}`,
        response,
      }))
    }
}

async function ancestorsOf(survey: Survey): Promise<Ancestor[]> {
  const template = survey.collection.path.split('/')
  const segments = (await survey.listPath()).split('/')
  return template.flatMap((segment, index) => {
    if (!segment.startsWith('{')) return []
    const noun = (template[index - 1] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    const names = [segment.slice(1, -1), noun, `${noun}Id`, `${noun}Ref`].filter((name) => name !== 'id')
    return [{ names, identity: decodeURIComponent(`${segments[index]}`) }]
  })
}

async function checkMissingParent(survey: Survey): Promise<void> {
  const listPath = await survey.listPath()
  const [identity = ''] = await survey.parentIdentities()
  const absent = absentValue(survey.random, undefined, /^\d+$/.test(identity) ? 1 : identity)
  const index = listPath.lastIndexOf(`/${encodeURIComponent(identity)}/`)
  const path = `${listPath.slice(0, index)}/${absent}${listPath.slice(index + 1 + encodeURIComponent(identity).length)}`
  const response = await survey.sender.get(path)
  if (response.status === 404) return
  expectStatus(response, 200, 400)
  const results = isObject(response.json) ? response.json.results : response.json
  const count = Array.isArray(results) ? results.length : 0
  expect(count === 0, () => ({
    expected: `no children of the missing parent ${absent}`,
    actual: `the list has ${count}`,
    response,
  }))
  throw new NotSpecified({
    expected: 'status 404 below a missing parent',
    actual: `status ${response.status}`,
    response,
  })
}

/** A record gives 404 below a parent that it does not belong to. */
async function checkOtherParent(survey: Survey): Promise<void> {
  const { path, read } = survey.collection
  const [, parentPath = '', lastSegment = ''] = /^(.*)\/\{[^}]*\}(\/[^{}]*)$/.exec(path) ?? []
  const parent = survey.context.surveyAt(parentPath)
  if (!parent) throw new Skip(`the document has no list at ${parentPath}`)
  const [child] = (await survey.visitedRecords()).records
  if (!child) throw new Skip('the list has no records')
  const identity = survey.identityOf(child)
  const listPath = await survey.listPath()
  const base = await parent.listPath()
  for (const candidate of survey.random.sample((await parent.visitedRecords()).records, 5)) {
    const candidatePath = `${base}/${encodeURIComponent(parent.identityOf(candidate))}${lastSegment}`
    if (candidatePath === listPath) continue
    const size = survey.collection.isPaginated ? ([['pageSize', `${survey.maximumSize ?? 100}`]] as const) : []
    const list = await survey.sender.get(candidatePath, size, survey.collection.list)
    const results = isObject(list.json) ? list.json.results : list.json
    if (list.status !== 200 || !Array.isArray(results)) continue
    if (results.some((item) => isObject(item) && survey.identityOf(item) === identity)) continue
    return expectStatus(await survey.sender.get(`${candidatePath}/${encodeURIComponent(identity)}`, [], read), 404)
  }
  throw new Skip('the check found no second parent that does not have this child')
}

const isNested = (collection: Collection) => collection.isNested && collection.variantOf === undefined

export const nestedChecks: readonly Check[] = [
  { code: 'nested-belongs', appliesTo: isNested, run: checkParent },
  { code: 'nested-missing-parent', appliesTo: isNested, run: checkMissingParent },
  {
    code: 'nested-elsewhere',
    appliesTo: isNested,
    skipReason: ({ collection: { read, path } }) => (read ? undefined : `the document has no GET ${path}/{…}`),
    run: checkOtherParent,
  },
]
