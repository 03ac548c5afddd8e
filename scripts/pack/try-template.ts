/** Runs a project whose service is mounted in a framework: tests, build, server, a request and a stop signal. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { npm } from './npm.ts'
import { waitForUrl } from './try-service.ts'

/** The server of each template, as its npm script starts it. */
const servers = {
  hono: ['server.ts'],
  next: ['node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'],
} as const

export type FrameworkTemplate = keyof typeof servers

export const frameworkTemplates = Object.keys(servers) as readonly FrameworkTemplate[]

/** `project` is the installed project. Throws if a step fails. */
export async function tryTemplate(project: string, template: FrameworkTemplate): Promise<void> {
  npm(['test'], project)
  npm(['run', 'build', '--if-present'], project)
  const env = { ...process.env, PORT: '0' }
  const server = spawn(process.execPath, servers[template], { cwd: project, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const exit = once(server, 'exit')
  try {
    const origin = await waitForUrl(server.stdout, /(http:\/\/127\.0\.0\.1:\d+)[/\s]/)
    await expectText(`${origin}/api/v1/ticket?pageSize=2`, '"First ticket"')
    await expectText(`${origin}/`, '<html')
  } finally {
    server.kill('SIGTERM')
  }
  await exit
}

async function expectText(url: string, text: string): Promise<void> {
  const response = await fetch(url)
  const body = await response.text()
  if (!response.ok || !body.includes(text)) throw new Error(`${url} returned ${response.status}: ${body}`)
}
