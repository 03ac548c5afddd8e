// `nomen serve --watch` during the development of a service.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder, writeFiles } from './folder.ts'
import { nomen, type RunningServer, serve, start, waitUntil } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const nouns = `import { identity, noun, text } from '@nomen/core'

export const note = noun('note', { id: identity(), title: text() })
`
const service = `import { api, resource } from '@nomen/core'
import { service } from '@nomen/server'
import { note } from './src/nouns.ts'

const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
export default service({ name: 'notes', apis: [notes] })
`
const serviceFiles = { 'service.ts': service, 'src/nouns.ts': nouns }
const nounsWithPlace = nouns.replace('title: text()', "title: text(), place: text().default('desk')")

async function watch(files: Readonly<Record<string, string>>) {
  const folder = serviceFolder(files)
  return { folder, server: await serve(['--watch'], { folder }) }
}

/** Waits until the output contains the part, and returns all output. */
async function waitForOutput(text: () => string, part: string): Promise<string> {
  await waitUntil(() => text().includes(part), 30_000, `the output contains "${part}"`)
  return text()
}

async function post({ base }: RunningServer, title: string): Promise<unknown> {
  return (await sendRequest(`${base}/note`, { method: 'POST', body: { title } })).json()
}

async function first({ base }: RunningServer): Promise<unknown> {
  return (await sendRequest(`${base}/note/1`)).json()
}

describe('nomen serve --watch', () => {
  it('reloads when a file changes, with its records and at the same URL', async () => {
    const { folder, server } = await watch(serviceFiles)
    for (const line of [
      /^ {2}database +sqlite:data\/notes\.db, created$/m,
      /^ {2}try +curl '/m,
      /^ {2}docs +http:\S+\/docs$/m,
      /^Watching for file changes\./m,
    ]) {
      expect(server.stdout()).toMatch(line)
    }
    expect(await post(server, 'kept')).toEqual({ id: 1, title: 'kept' })
    writeFiles(folder, { 'src/nouns.ts': nounsWithPlace })
    const output = await waitForOutput(server.stdout, 'src/nouns.ts changed, service reloaded.')
    expect(output).toContain('Schema changes applied:\n  add field "place" to "note"\n')
    expect(await first(server)).toEqual({ id: 1, title: 'kept', place: 'desk' })
    expect(server.stderr()).toBe('')
  })

  it('keeps the previous version while a declaration is invalid, and reports the location and the fix', async () => {
    const { folder, server } = await watch(serviceFiles)
    await post(server, 'kept')
    writeFiles(folder, { 'src/nouns.ts': nouns.replace("'note'", "'notes'") })
    expect(await waitForOutput(server.stderr, 'keeps running')).toBe(
      'nomen: noun "notes": the name looks like a plural; nouns must be singular.\n' +
        '  Fix: rename it to "note", or add { isSingular: true } if it is not a plural.\n' +
        '  At src/nouns.ts:3:21\n' +
        '  The previous version keeps running.\n',
    )
    expect(await first(server)).toEqual({ id: 1, title: 'kept' })
    // An unsafe schema change is rejected like an error.
    const count = server.stderr().length
    writeFiles(folder, { 'src/nouns.ts': nouns.replace(', title: text()', '') })
    const unsafe = () => server.stderr().slice(count)
    expect(await waitForOutput(unsafe, 'keeps running')).toContain('drop field "title"')
    expect(await first(server)).toEqual({ id: 1, title: 'kept' })
    writeFiles(folder, { 'src/nouns.ts': nounsWithPlace })
    await waitForOutput(server.stdout, 'src/nouns.ts changed, service reloaded.')
    expect(await first(server)).toEqual({ id: 1, title: 'kept', place: 'desk' })
  })

  it('reloads when another process has migrated its database', async () => {
    const { folder, server } = await watch(serviceFiles)
    await post(server, 'kept')
    writeFiles(folder, { 'src/nouns.ts': nouns.replace('title: text()', 'name: text().nullable()') })
    await waitForOutput(server.stderr, 'keeps running')
    expect(await first(server)).toEqual({ id: 1, title: 'kept' })
    expect(await nomen(['migrate', '--apply', '--yes'], { folder })).toMatchObject({ code: 0 })
    await waitForOutput(server.stdout, 'The database schema changed, service reloaded.')
    expect(await first(server)).toEqual({ id: 1, name: null })
  })

  it('keeps the previous process if a file changes while the next one reports that it listens', async () => {
    const source = `${service}
      import { existsSync, rmSync, writeFileSync } from 'node:fs'
      const send = process.send
      if (existsSync('delayed')) process.send = (message, ...others) => {
        if (message.kind === 'listening') {
          rmSync('delayed')
          writeFileSync('src/nouns.ts', ${JSON.stringify(nounsWithPlace)})
          // The stop signal for the change comes before the message is sent.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000)
        }
        return send.call(process, message, ...others)
      }`
    const { folder, server } = await watch({ ...serviceFiles, 'service.ts': source })
    await post(server, 'kept')
    writeFiles(folder, { delayed: '', 'src/nouns.ts': `${nouns}\n` })
    await waitForOutput(server.stdout, 'src/nouns.ts changed, service reloaded.')
    expect(await first(server)).toEqual({ id: 1, title: 'kept', place: 'desk' })
    expect(server.stderr()).toBe('')
  })

  it('may start with an error, and serves after a fix, such as a missing file that is added', async () => {
    const folder = serviceFolder({ ...serviceFiles, 'src/other.ts': '' })
    rmSync(join(folder, 'src/nouns.ts'))
    writeFiles(folder, { 'service.ts': `import './src/other.ts'\n${service}` })
    const running = start(['serve', '--watch', '--port', '0'], { folder })
    const errors = await waitForOutput(running.stderr, 'when you fix this error')
    expect(errors).toContain('service.ts cannot be loaded. Error: Cannot find module')
    writeFiles(folder, { 'src/nouns.ts': nouns })
    expect(await waitForOutput(running.stdout, 'Watching for file changes.')).toContain(
      'notes is running at http://127.0.0.1:',
    )
    running.kill('SIGTERM')
    expect(await running.exit).toMatchObject({ code: 0, signal: null })
  })

  it('stops all of its processes at a signal', async () => {
    const { server } = await watch(serviceFiles)
    server.kill('SIGINT')
    expect(await server.exit).toMatchObject({ code: 0, signal: null })
    await expect(sendRequest(`${server.base}/note`)).rejects.toThrow('ECONNREFUSED')
  })

  it('does not start if no change of a file can fix the error', async () => {
    const { server } = await watch(serviceFiles)
    onTestFinished(() => server.kill('SIGTERM'))
    const folder = serviceFolder(serviceFiles)
    const portInUse = await nomen(['serve', '--watch', '--port', `${server.port}`], { folder })
    expect([portInUse.code, portInUse.errors]).toEqual([
      1,
      `nomen: Port ${server.port} is already in use.\n  Choose another with --port or PORT; 0 selects a free port.\n`,
    ])
    expect(await nomen(['serve', '--watch', '--workers', '2'], { folder })).toMatchObject({
      code: 2,
      errors: 'nomen: --workers is "2", but --watch supports only one process.\n  Leave out one of them.\n',
    })
  })
})
