/** A real browser: the system's Chromium, installed where it is missing and we may. */
import { spawnSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export type { Browser, Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** What a browser in tests has no use for, and must not ask the network for. */
const quiet = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts it with an empty profile. Whoever starts it closes it. */
export function startChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: quiet })
}

/** Where the browser is; CHROMIUM may say so. */
function chromiumPath(): string {
  const found = process.env.CHROMIUM ?? onPath()
  if (found !== undefined) return found
  install()
  const installed = onPath()
  if (installed !== undefined) return installed
  throw new Error(
    'There is no Chromium. Install it (apt-get install chromium), or say where it is: CHROMIUM=/path/to/chrome.',
  )
}

function onPath(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Debian's package, for those who may install it. */
function install(): void {
  if (process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...parts: string[]) =>
    spawnSync('apt-get', ['-qq', ...parts], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  if (apt('install', '-y', '--no-install-recommends', 'chromium').status === 0) return
  apt('update')
  apt('install', '-y', '--no-install-recommends', 'chromium')
}
