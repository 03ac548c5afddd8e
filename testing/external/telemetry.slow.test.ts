// The file and the command of docs/observability.md send the spans of a service to a collector.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '@nomen/testing/free-port'
import { codeOn } from '@nomen/testing/markdown/examples'
import { startCollector } from '@nomen/testing/otlp-collector'
import { expect, it, onTestFinished } from 'vitest'
import { dist } from './generate.ts'

const root = join(import.meta.dirname, '../..')
const page = 'docs/observability.md'

const service = `import { directoryService } from '@nomen/directory'
export default directoryService({ users: 5 })
`

it('sends spans of requests and of database calls', async () => {
  const collector = await startCollector()
  onTestFinished(collector.close)
  mkdirSync(dist, { recursive: true })
  const folder = mkdtempSync(join(dist, 'telemetry-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'telemetry.ts'), codeOn(page, 'import { OTLPTraceExporter'))
  writeFileSync(join(folder, 'service.ts'), service)
  const port = await freePort()
  const [, command = ''] = codeOn(page, 'npm install @opentelemetry').trim().split('\n')
  const here = command
    .replace('http://localhost:4318', collector.url)
    .replace('npx nomen', `exec node ${join(root, 'packages/cli/src/nomen.ts')}`)
  const settings = `--database sqlite::memory: --port ${port}`
  const child = spawn('sh', ['-c', `${here} ${settings}`], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await once(child, 'exit')
  })
  const read = () => fetch(`http://127.0.0.1:${port}/user/1`).then(({ status }) => status)
  await expect.poll(() => read().catch(() => 0)).toBe(200)
  await expect.poll(() => collector.spans.map(({ name }) => name)).toContain('GET /user/{id}')
  const [request] = collector.spans.filter(({ name }) => name === 'GET /user/{id}')
  expect(request?.resource).toMatchObject({ 'service.name': 'desk' })
  expect(collector.spans).toContainEqual(expect.objectContaining({ name: 'read user', parentSpanId: request?.spanId }))
})
