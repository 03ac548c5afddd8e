/** `npm run bench:router`: our router against find-my-way, over the routes of the directory. */
import { deepStrictEqual } from 'node:assert'
import { Router } from '@nomen/server/internal'
import findMyWay from 'find-my-way'
import { directory } from './bulk/directory.ts'
import { markdownTable } from './markdown.ts'
import { machine } from './report.ts'
import { ratio, spread } from './statistic.ts'

const help = `npm run bench:router

Looks up paths of the directory in our router and in find-my-way, in turns, and compares lookups per second and memory.`

/** The result of a lookup: the route and its parameters, the allowed methods, or undefined. */
type Result =
  | { readonly route: string; readonly parameters: readonly string[] }
  | { readonly allow: readonly string[] }
  | undefined
type Find = (method: string, path: string) => Result

const { operations } = await directory()
const routes = operations.map(({ method, path }) => ({ method, path, route: `${method} ${path}` }))
const methods = [...new Set(routes.map(({ method }) => method))]

function ours(): Find {
  const router = new Router<string>()
  for (const { method, path, route } of routes) router.add(method, path, route)
  return (method, path) => {
    const match = router.find(path)
    if (!match) return undefined
    const route = match.routes.get(method)
    return route === undefined ? { allow: [...match.routes.keys()] } : { route, parameters: match.parameters }
  }
}

/** Parameters are numbered, because two levels of a path may share a name. */
function theirs(): Find {
  const router = findMyWay({ maxParamLength: 16_384 })
  const handler = () => {}
  for (const { method, path, route } of routes) {
    let position = 0
    router.on(
      method as 'GET',
      path.replace(/\{[^}]*\}/g, () => `:${position++}`),
      handler,
      route,
    )
  }
  return (method, path) => {
    const match = router.find(method as 'GET', path)
    if (match) return { route: match.store as string, parameters: Object.values(match.params) as string[] }
    // It does not list the methods of a path: 405 needs a lookup for each.
    const allow = methods.filter((candidate) => router.find(candidate as 'GET', path) !== null)
    return allow.length > 0 ? { allow } : undefined
  }
}

const kinds: [name: string, method: string, paths: (index: number) => string][] = [
  ['static: GET /user', 'GET', () => '/user'],
  ['one parameter: GET /user/{id}', 'GET', (index) => `/user/${index}`],
  ['two: GET /user/{id}/preference/{id}', 'GET', (index) => `/user/${index}/preference/${index % 9}`],
  [
    'three levels, three parameters',
    'GET',
    (index) => `/v1/application/${index}/role/${index % 9}/action/${index % 7}`,
  ],
  ['encoded: GET /user/by-email/{email}', 'GET', (index) => `/user/by-email/a${index}%40example.com`],
  ['missing: GET /usr/{id}', 'GET', (index) => `/usr/${index}`],
  ['405: DELETE /user', 'DELETE', () => '/user'],
]

const contenders = { ours, 'find-my-way': theirs }
const rounds = 9
const lookups = 300_000

/** Lookups per second of CPU time, which other programs do not affect. */
function measure(find: Find, method: string, paths: readonly string[]): number {
  let matches = 0
  const before = process.threadCpuUsage()
  for (let index = 0; index < lookups; index++) if (find(method, paths[index & 1023] as string)) matches++
  const { user, system } = process.threadCpuUsage(before)
  if (matches !== 0 && matches !== lookups) throw new Error('Only some of the paths were found.')
  return (lookups * 1e6) / (user + system)
}

function collect(): void {
  if (!globalThis.gc) throw new Error('Start Node with --expose-gc.')
  globalThis.gc()
}

/** The heap size of a router in bytes, averaged over a hundred. */
function memory(make: () => Find): number {
  const routers: Find[] = []
  collect()
  const before = process.memoryUsage().heapUsed
  for (let count = 0; count < 100; count++) routers.push(make())
  collect()
  return (process.memoryUsage().heapUsed - before) / routers.length
}

function compare(): string[][] {
  const finds = Object.values(contenders).map((make) => make())
  return kinds.map(([name, method, pathOf]) => {
    const paths = Array.from({ length: 1024 }, (_, index) => pathOf(index))
    const [own, other] = finds.map((find) => find(method, paths[7] as string))
    deepStrictEqual(own, other, name)
    const figures = finds.map(() => [] as number[])
    for (let round = -2; round < rounds; round++) {
      for (const [index, find] of finds.entries()) {
        const figure = measure(find, method, paths)
        if (round >= 0) figures[index]?.push(figure)
      }
    }
    const [ownFigures = [], theirFigures = []] = figures
    const { median, least, most } = ratio(ownFigures, theirFigures)
    const rate = (values: readonly number[]) => `${(spread(values).median / 1e6).toFixed(2)} million/s`
    return [
      name,
      rate(ownFigures),
      rate(theirFigures),
      `${median.toFixed(2)} (${least.toFixed(2)} to ${most.toFixed(2)})`,
    ]
  })
}

if (process.argv.includes('--help')) console.log(help)
else {
  console.log(`${machine()}; ${routes.length} routes, ${rounds} rounds of ${lookups} lookups in turns\n`)
  console.log(markdownTable(['path', ...Object.keys(contenders), 'ours / find-my-way'], compare()))
  const sizes = Object.entries(contenders).map(([name, make]) => `${name} ${(memory(make) / 1024).toFixed(0)} KiB`)
  console.log(`\nheap for one router: ${sizes.join(', ')}`)
}
