/** The layers of the repository, and the modules that only some files may import. */

/** The folders of a package, as patterns. */
const core = (...folders: string[]): string[] => folders.map((folder) => `packages/core/src/${folder}/**`)
const server = (...folders: string[]): string[] => folders.map((folder) => `packages/server/src/${folder}/**`)

/**
 * From top to bottom. A file may import files of its own box and of lower layers; boxes of one layer are siblings.
 * If several patterns match a file, the longest one counts. Tests are above all layers.
 */
export const layers: readonly Readonly<Record<string, readonly string[]>>[] = [
  { 'create-nomen': ['packages/create-nomen/**'] },
  { cli: ['packages/cli/**'], 'apps/*': ['apps/**'], bench: ['bench/**'], scripts: ['scripts/**'] },
  { testing: ['testing/**'] },
  { server: ['packages/server/**'], conventions: ['packages/conventions/**'] },
  { 'server http': server('http'), 'server ship': server('ship'), 'server explain': server('explain') },
  { 'server webhook': server('webhook') },
  { 'server pipeline': server('pipeline'), 'server bulk': server('bulk') },
  { 'server auth': server('auth'), 'server observe': server('observe') },
  { 'server logic': server('logic') },
  { 'server define': server('define') },
  { 'server store/open': server('store/open') },
  { 'server store/sqlite': server('store/sqlite'), 'server store/postgres': server('store/postgres') },
  { 'server store/sql': server('store/sql') },
  { 'server store/bulk': server('store/bulk') },
  { 'server store/migrate': server('store/migrate') },
  { 'server store': server('store') },
  { 'server trace': server('observe/trace') },
  { 'server metrics': server('observe/metrics') },
  { 'server message': server('message') },
  { 'server foundation': server('foundation') },
  {
    'core index': ['packages/core/src/index.ts'],
    'core bulk': core('bulk'),
    'core client': core('client'),
    'core openapi': core('openapi'),
    'core mocks': core('mocks'),
    'core usage': core('usage'),
  },
  { 'core operation': core('operation') },
  { 'core api': core('api') },
  { 'core resource': core('resource') },
  { 'core noun': core('noun') },
  { 'core wire': core('wire') },
  { 'core declaration': core('declaration') },
  { 'core naming': core('naming') },
  { 'core field': core('field') },
]

type Reservation = {
  inside: string
  modules: string[]
  only: string[]
  /** Type-only imports are allowed. */
  areTypesFree?: boolean
  /** Entry points that every file may import. */
  freeEntryPoints?: string[]
  reason: string
}

/** Modules that only some files of a package may import. Tests may import them too. */
export const reserved: Reservation[] = [
  { inside: 'packages/core/**', modules: ['node:*'], only: [], reason: 'core runs anywhere' },
  {
    inside: 'packages/core/**',
    modules: ['msw', 'msw/*'],
    only: ['packages/core/src/mocks/**'],
    reason: 'only mocks need msw',
  },
  {
    inside: 'packages/server/**',
    modules: ['pg', 'node:sqlite'],
    only: ['packages/server/src/store/**'],
    reason: 'only the store knows SQL',
  },
  {
    inside: 'packages/server/**',
    modules: ['fastify', '@fastify/*'],
    only: ['packages/server/src/fastify.ts', 'packages/server/src/http/fastify-adapter.ts'],
    reason: 'only the Fastify adapter knows the framework',
  },
  {
    inside: 'packages/server/**',
    modules: ['pino'],
    only: ['packages/server/src/observe/application-log.ts'],
    reason: 'only the application log knows pino',
  },
  {
    inside: 'packages/server/**',
    modules: ['@opentelemetry/*'],
    only: ['packages/server/src/observe/trace/**'],
    reason: 'only tracing knows OpenTelemetry',
  },
  {
    inside: 'packages/server/src/store/sqlite/read/{reader-thread,statement-clock}.ts',
    modules: ['@nomen/core'],
    only: [],
    areTypesFree: true,
    reason: 'each reader thread has its own memory, so it loads few modules',
  },
  {
    inside: 'apps/console/**',
    modules: ['@nomen/*'],
    only: [],
    areTypesFree: true,
    freeEntryPoints: ['@nomen/core/bulk', '@nomen/core/openapi'],
    reason:
      'the console knows services by HTTP alone; it may read documents and files, and types are gone when it runs',
  },
]
