/** Ways of bending the path and the query of a request. */
import { type Bend, type Bending, pick } from './bending.ts'
import { brokenEncodings, moments, numerals, texts } from './trap.ts'
import { wireText } from './wire-request.ts'

function valueAt(given: Bending): number[] {
  return given.segments.flatMap(({ isValue }, at) => (isValue ? [at] : []))
}

/** Another value in the place of an identity or of what is looked up. */
const value: Bend = (given, random) => {
  const places = valueAt(given)
  if (places.length === 0) return undefined
  const text = pick(random, random.below(2) === 0 ? texts : numerals)
  given.segments[pick(random, places)] = { text: encodeURIComponent(text), isValue: true }
  // nothing, or a dot, makes another path of it
  if (text === '' || text === '.' || text === '..') given.operation = undefined
  return `${JSON.stringify(text.slice(0, 40))} in the path`
}

const brokenValue: Bend = (given, random) => {
  const places = valueAt(given)
  if (places.length === 0) return undefined
  const text = pick(random, brokenEncodings)
  given.segments[pick(random, places)] = { text, isValue: true }
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

const otherPath: Bend = (given, random) => {
  const path = given.segments.map(({ text }) => text).join('/')
  given.segments = [{ text: pick(random, otherPaths)(path), isValue: false }]
  given.operation = undefined
  return 'another path'
}

function parameterName(given: Bending, random: Parameters<Bend>[1]): string {
  const names = given.seed.operation.parameters.flatMap((one) => (one.in === 'query' ? [one.name] : []))
  return names.length > 0 && random.below(4) > 0
    ? pick(random, names)
    : pick(random, ['sort', 'pageSize', 'include', 'id'])
}

const parameter: Bend = (given, random) => {
  const name = parameterName(given, random)
  const text = pick(random, pick(random, [texts, numerals, numerals, moments]))
  given.query.push(`${name}=${encodeURIComponent(text)}`)
  return `${name}=${JSON.stringify(text.slice(0, 40))}`
}

const brokenParameter: Bend = (given, random) => {
  const name = parameterName(given, random)
  given.query.push(`${name}=${pick(random, brokenEncodings)}`)
  return `a broken ${name}`
}

const repeatedParameter: Bend = (given, random) => {
  const name = parameterName(given, random)
  const count = pick(random, [2, 2, 3, 50, 900])
  const value = encodeURIComponent(pick(random, count > 3 ? ['1', 'a'] : [...numerals, 'a']).slice(0, 12))
  for (let time = 0; time < count; time++) given.query.push(`${name}=${value}`)
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

const oddQuery: Bend = (given, random) => {
  const text =
    random.below(4) === 0 ? wireText(pick(random, texts)).replaceAll(/[\s\0]/g, '') : pick(random, oddQueries)
  given.query.push(text)
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

/** Not of a path with an identity: a DELETE there would be taken. */
const method: Bend = (given, random) => {
  const safe = otherMethods.filter((name) => !/^(PUT|PATCH|DELETE|POST)$/.test(name))
  const isKept = !given.isWriting || given.segments.some(({ isValue }) => isValue)
  given.method = pick(random, isKept ? safe : otherMethods)
  given.operation = undefined
  if (given.method !== 'GET' && given.method !== 'HEAD') return `the method ${given.method}`
  given.fields = undefined
  return `the method ${given.method}`
}

export const targetBends: readonly Bend[] = [
  value,
  value,
  brokenValue,
  otherPath,
  parameter,
  parameter,
  parameter,
  brokenParameter,
  repeatedParameter,
  oddQuery,
  method,
]
