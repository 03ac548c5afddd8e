/** Serves a project with the installed command, calls it with its client and runs `nomen check`. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'

const command = 'node_modules/@nomen/cli/dist/nomen.js'
const consolePath = 'node_modules/@nomen/cli/static/console'

/** `program` is the Node that runs the command. */
export async function tryService(project: string, program: string): Promise<void> {
  const service = spawn(program, [command, 'serve', '--port', '0', '--database', 'sqlite::memory:'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let errors = ''
  service.stderr.setEncoding('utf8').on('data', (part: string) => (errors += part))
  const exit = once(service, 'exit')
  try {
    const base = await waitForUrl(service.stdout)
    const run = (args: readonly string[], environment: NodeJS.ProcessEnv = {}) =>
      execFileSync(program, args, { cwd: project, encoding: 'utf8', env: { ...process.env, ...environment } })
    const output = run([join('src', 'call.ts')], { BASE_URL: base })
    expectText(output, '4 records, the latest:')
    expectText(run([command, 'check', base, '--write']), ' 0 failed')
    expectPage(project, run([command, 'ship', '--help']))
    for (const path of ['/docs', ...(existsSync(join(project, consolePath)) ? ['/console'] : [])]) {
      const { status } = await fetch(`${base}${path}`)
      if (status !== 200) throw new Error(`${base}${path} returned ${status}.`)
    }
  } finally {
    service.kill('SIGTERM')
  }
  const [code, signal] = await exit
  // Windows has no signals: the process ends at once.
  if (code !== 0 && process.platform !== 'win32')
    throw new Error(`nomen serve ended with ${code ?? signal} after SIGTERM.\n${errors}`)
  if (errors.includes('Warning')) throw new Error(`nomen serve shows a warning:\n${errors}`)
}

/** The URL that a server prints when it is running. Its output is read to the end, because a closed pipe would stop it. */
export function waitForUrl(output: Readable, pattern = /is running at (\S+)\n/): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    output.setEncoding('utf8').on('data', (part: string) => {
      text += part
      const url = pattern.exec(text)?.[1]
      if (url !== undefined) resolve(url)
    })
    output.once('end', () => reject(new Error(`The server ended without printing its URL: ${text}`)))
  })
}

/** The help refers to a page of the documentation, which must be in the installed package. */
function expectPage(project: string, help: string): void {
  const page = /\S+\.md$/m.exec(help)?.[0] ?? ''
  if (!existsSync(resolve(project, page))) throw new Error(`The help refers to "${page}", which does not exist.`)
}

function expectText(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${part}" is not in:\n${text}`)
}
