/** Runs a service in a container with a read-only root, without privileges and with 256 MiB of memory. */
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../free-port.ts'
import type { Containers } from './containers.ts'

/** The limits of this process, which the runtime could not raise. */
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024', '--memory', '256m']

/** Flags of a container that may write to its volumes only. */
export const hardened = [
  ...limits,
  '--network=host',
  '--read-only',
  '--read-only-tmpfs=false',
  '--cap-drop=all',
  '--security-opt=no-new-privileges:true',
]

const anonymous = ['node', 'node_modules/.bin/nomen', 'serve', '--allow-anonymous']

export interface ServiceContainer {
  readonly id: string
  readonly url: string
}

interface StartOptions {
  /** The volumes, such as `/srv/data`. */
  readonly volumes?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** The command (default: `nomen serve` without authentication). Empty for the command of the image. */
  readonly command?: readonly string[]
  /** The path that responds with 200 when the service is ready (default: `/health/ready`). */
  readonly health?: string
}

/** Starts a container on a free port, and waits until it is ready. Throws its log if it ends before. */
export async function startService(
  { podman }: Containers,
  image: string,
  { volumes = [], environment = {}, command = anonymous, health = '/health/ready' }: StartOptions = {},
): Promise<ServiceContainer> {
  const port = await freePort()
  const variables = Object.entries({ PORT: `${port}`, ...environment }).map(([name, value]) => `--env=${name}=${value}`)
  const mounts = volumes.map((volume) => `--volume=${volume}`)
  const id = podman('run', '--detach', ...hardened, ...variables, ...mounts, image, ...command)
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(`${url}${health}`))) {
    if (podman('inspect', '--format', '{{.State.Running}}', id) !== 'true')
      throw new Error(`The container ended:\n${podman('logs', id)}`)
    await pause(50)
  }
  return { id, url }
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined)
  return response?.status === 200
}

/** Stops a container as Docker does, and returns the exit code of the service. */
export function stopService({ podman }: Containers, { id }: ServiceContainer): string {
  podman('stop', '--time', '20', id)
  return podman('inspect', '--format', '{{.State.ExitCode}}', id)
}
