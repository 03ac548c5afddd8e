/** Builds and runs images with podman, in a storage of its own. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { packageFile, programPath } from '../debian.ts'

export interface Containers {
  /** Builds an image from a folder with a Dockerfile. */
  build(folder: string, image: string): void
  /** Runs podman with these arguments, and returns its output. Throws if it fails. */
  podman(...args: readonly string[]): string
  /** The same, also if it fails. */
  tryPodman(...args: readonly string[]): { readonly status: number | null; readonly output: string }
  /** Serves the API of Docker, for programs such as docker-compose. */
  serveApi(): Promise<ContainerApi>
  /** Ends all containers, and removes all files. */
  remove(): void
}

export interface ContainerApi {
  /** The value of DOCKER_HOST. */
  readonly url: string
  close(): Promise<void>
}

/** Networks with names, and the limits of this process, which the runtime could not raise. */
const configuration = `[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
[network]
network_backend = "netavark"
`

const maxBuffer = 64 * 1024 * 1024

/** Programs and libraries of the base image. Node needs the last two. */
const packages = ['base-files', 'base-passwd', 'ca-certificates', 'coreutils', 'dash', 'libatomic1', 'libstdc++6']

/** The base image without a registry: Debian with the Node and the npm of this process, and the user `node`. */
const baseFile = `FROM scratch
ADD root.tar /
COPY node /usr/local/bin/node
COPY npm /usr/local/lib/node_modules/npm
COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt
RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm \\
  && echo node:x:1000:1000::/home/node:/bin/sh >> /etc/passwd \\
  && echo node:x:1000: >> /etc/group \\
  && install -d -o 1000 -g 1000 /home/node
`

/** Creates the storage, with the base image as node:26-slim. Needs root, and programs of Debian, which it installs. */
export function openContainers(): Containers {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-container-'))
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const networks = ['--network-config-dir', join(folder, 'network')]
  const podmanPath = programPath(['podman'], 'podman')
  // runc and cgroupfs also run without systemd, and with control groups of version 1.
  const runtime = ['--runtime', programPath(['runc'], 'runc'), '--cgroup-manager', 'cgroupfs']
  packageFile('/usr/lib/podman/netavark', 'netavark')
  packageFile('/usr/lib/podman/aardvark-dns', 'aardvark-dns')
  writeFileSync(join(folder, 'containers.conf'), configuration)
  // Without this, podman creates a systemd timer for the health check. The tests run it themselves.
  const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true', CONTAINERS_CONF: join(folder, 'containers.conf') }
  const flags = [...storage, ...networks, ...runtime]
  const tryPodman = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(podmanPath, [...flags, ...args], {
      encoding: 'utf8',
      env,
      maxBuffer,
    })
    return { status, output: `${stdout}${stderr}` }
  }
  const podman = (...args: readonly string[]) => {
    const { status, output } = tryPodman(...args)
    if (status !== 0) throw new Error(`podman ${args.join(' ')} failed:\n${output}`)
    return output.trim()
  }
  const build = (context: string, image: string) => {
    const options = ['--network', 'host', '--pull=never', '--format', 'docker', '--layers=false']
    podman('build', ...options, '--tag', image, context)
  }
  const serveApi = async () => {
    const socket = join(folder, 'api.sock')
    const server = spawn(podmanPath, [...flags, 'system', 'service', '--time=0', `unix://${socket}`], {
      env,
      stdio: 'ignore',
    })
    while (!existsSync(socket)) {
      if (server.exitCode !== null) throw new Error('podman does not serve its API.')
      await pause(50)
    }
    const close = async () => {
      const exit = once(server, 'exit')
      server.kill('SIGTERM')
      await exit
    }
    return { url: `unix://${socket}`, close }
  }
  const containers: Containers = {
    serveApi,
    build,
    podman,
    tryPodman,
    remove: () => {
      tryPodman('rm', '--all', '--force')
      tryPodman('rmi', '--all', '--force')
      // The storage mounts its own folder.
      spawnSync('umount', ['--lazy', join(folder, 'storage/overlay')])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  try {
    build(baseFolder(join(folder, 'base')), 'docker.io/library/node:26-slim')
    return containers
  } catch (error) {
    containers.remove()
    throw error
  }
}

function baseFolder(folder: string): string {
  const npm = realpathSync(programPath(['npm'], 'npm'))
  cpSync(dirname(dirname(npm)), join(folder, 'npm'), { recursive: true })
  cpSync(process.execPath, join(folder, 'node'))
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(folder, 'ca-certificates.crt'))
  writeFileSync(join(folder, 'Dockerfile'), baseFile)
  writeDebian(join(folder, 'root.tar'), packages)
  return folder
}

/** Writes an archive of a file system with these packages of Debian and their dependencies. */
export function writeDebian(path: string, names: readonly string[]): void {
  const mmdebstrap = programPath(['mmdebstrap'], 'mmdebstrap')
  const flags = ['--quiet', '--variant=extract', `--include=${names.join(',')}`]
  mkdirSync(dirname(path), { recursive: true })
  const { status, stderr } = spawnSync(mmdebstrap, [...flags, 'bookworm', path], { encoding: 'utf8', maxBuffer })
  if (status !== 0) throw new Error(`mmdebstrap failed:\n${stderr}`)
}
