/** Mutations of the path and the query of a request. */

import { brokenEncodings, numerals, texts, timestamps } from './hostile-value.ts'
import { type MutableRequest, type Mutation, pick } from './mutable-request.ts'
import { wireText } from './wire-request.ts'

function valueIndexes(request: MutableRequest): number[] {
  return request.segments.flatMap(({ isValue }, index) => (isValue ? [index] : []))
}

/** Another value for an ID or a lookup. */
const changeValue: Mutation = (request, random) => {
  const indexes = valueIndexes(request)
  if (indexes.length === 0) return undefined
  const text = pick(random, random.below(2) === 0 ? texts : numerals)
  request.segments[pick(random, indexes)] = { text: encodeURIComponent(text), isValue: true }
  // An empty segment or a dot gives a different path.
  if (text === '' || text === '.' || text === '..') request.operation = undefined
  return `${JSON.stringify(text.slice(0, 40))} in the path`
}

const breakValue: Mutation = (request, random) => {
  const indexes = valueIndexes(request)
  if (indexes.length === 0) return undefined
  const text = pick(random, brokenEncodings)
  request.segments[pick(random, indexes)] = { text, isValue: true }
  return `${text} in the path`
}

const otherPaths: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => `./${path}`,
  (path) => `../${path}`,
  (path) => `${path}/..`,
  (path) => `${path}/../../../../etc/passwd`,
  (path) => `${path}%2f..%2f..`,
  (path) => `${path};a=1`,
  (path) => `${path}.json`,
  (path) => `${path}\\..`,
  (path) => `${path}%`,
  (path) => `${path}#a`,
  (path) => path.toUpperCase(),
  (path) => `${path}/1/${path}`,
  (path) => `${path}/${'a/'.repeat(500)}`,
  (path) => `${path}${'a'.repeat(7000)}`,
  (path) => `${path}\xff`,
  (path) => path.slice(0, -1),
  (path) => `__proto__/${path}`,
]

const changePath: Mutation = (request, random) => {
  const path = request.segments.map(({ text }) => text).join('/')
  request.segments = [{ text: pick(random, otherPaths)(path), isValue: false }]
  request.operation = undefined
  return 'another path'
}

function parameterName(request: MutableRequest, random: Parameters<Mutation>[1]): string {
  const names = request.original.operation.parameters.flatMap((parameter) =>
    parameter.in === 'query' ? [parameter.name] : [],
  )
  return names.length > 0 && random.below(4) > 0
    ? pick(random, names)
    : pick(random, ['sort', 'pageSize', 'include', 'id'])
}

const addParameter: Mutation = (request, random) => {
  const name = parameterName(request, random)
  const text = pick(random, pick(random, [texts, numerals, numerals, timestamps]))
  request.query.push(`${name}=${encodeURIComponent(text)}`)
  return `${name}=${JSON.stringify(text.slice(0, 40))}`
}

const addBrokenParameter: Mutation = (request, random) => {
  const name = parameterName(request, random)
  request.query.push(`${name}=${pick(random, brokenEncodings)}`)
  return `a broken ${name}`
}

const repeatParameter: Mutation = (request, random) => {
  const name = parameterName(request, random)
  const count = pick(random, [2, 2, 3, 50, 900])
  const value = encodeURIComponent(pick(random, count > 3 ? ['1', 'a'] : [...numerals, 'a']).slice(0, 12))
  for (let time = 0; time < count; time++) request.query.push(`${name}=${value}`)
  return `${name} ${count} times`
}

const oddQueries = [
  '',
  '&&',
  '=',
  '=1',
  'a',
  '?',
  'id[]=1',
  'id[$gt]=1',
  'id.a=1',
  '__proto__[a]=1',
  'constructor=1',
  'pageSize=1;pageNumber=1',
  'pageSize',
  'pageSize=',
  'pageSize=+1',
  'sort=-',
  'sort=--id',
  'sort=id,-id',
  'include=1,2',
  'search=%25%5f%5c',
  '%70ageSize=1',
  'a=1#b',
  `${'a=1&'.repeat(300)}b`,
  `a=${'b'.repeat(7000)}`,
]

const addOddQuery: Mutation = (request, random) => {
  const text =
    random.below(4) === 0 ? wireText(pick(random, texts)).replaceAll(/[\s\0]/g, '') : pick(random, oddQueries)
  request.query.push(text)
  return 'an odd query'
}

const otherMethods = [
  'HEAD',
  'OPTIONS',
  'TRACE',
  'PUT',
  'PATCH',
  'DELETE',
  'POST',
  'GET',
  'PROPFIND',
  'QUERY',
  'FOO',
  'get',
]

/** Not for a path with an ID: a DELETE would succeed. */
const changeMethod: Mutation = (request, random) => {
  const safe = otherMethods.filter((name) => !/^(PUT|PATCH|DELETE|POST)$/.test(name))
  const needsSafeMethod = !request.isWriting || request.segments.some(({ isValue }) => isValue)
  request.method = pick(random, needsSafeMethod ? safe : otherMethods)
  request.operation = undefined
  if (request.method !== 'GET' && request.method !== 'HEAD') return `the method ${request.method}`
  request.fields = undefined
  return `the method ${request.method}`
}

export const targetMutations: readonly Mutation[] = [
  changeValue,
  changeValue,
  breakValue,
  changePath,
  addParameter,
  addParameter,
  addParameter,
  addBrokenParameter,
  repeatParameter,
  addOddQuery,
  changeMethod,
]
