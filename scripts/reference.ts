/** Copies the script of the API reference into the server package, if it is outdated. */
import { copyFileSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'packages/server/static/reference')
const built = join(folder, 'scalar.js.gz')
/** The last two steps of brotli take many times as long. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

const stats = statSync(built, { throwIfNoEntry: false })
if (!stats || stats.mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs) {
  const [{ default: fastify }, { default: reference }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  // The package has no file for the script: request it from its route.
  const app = fastify()
  await app.register(reference, { routePrefix: '/docs', configuration: { sources: [{ url: '/' }] } })
  const { body } = await app.inject('/docs/js/scalar.js')
  if (!body.includes('createApiReference')) throw new Error('@scalar/fastify-api-reference did not return its script.')
  mkdirSync(folder, { recursive: true })
  const package_ = dirname(dirname(fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'))))
  copyFileSync(join(package_, 'LICENSE'), join(folder, 'LICENSE'))
  // Before the other one, whose age decides.
  writeFileSync(join(folder, 'scalar.js.br'), brotliCompressSync(body, quality))
  writeFileSync(`${built}.part`, gzipSync(body, { level: 9 }))
  renameSync(`${built}.part`, built)
}
