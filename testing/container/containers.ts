/** Builds and runs images with podman, in a storage of its own. */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { programPath } from '../debian.ts'

export interface Containers {
  /** Builds an image from a folder with a Dockerfile. */
  build(folder: string, image: string): void
  /** Runs podman with these arguments, and returns its output. Throws if it fails. */
  podman(...args: readonly string[]): string
  /** The same, also if it fails. */
  tryPodman(...args: readonly string[]): { readonly status: number | null; readonly output: string }
  /** Ends all containers, and removes all files. */
  remove(): void
}

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
  const podmanPath = programPath(['podman'], 'podman')
  // runc and cgroupfs also run without systemd, and with control groups of version 1.
  const runtime = ['--runtime', programPath(['runc'], 'runc'), '--cgroup-manager', 'cgroupfs']
  // Without this, podman creates a systemd timer for the health check. The tests run it themselves.
  const env = { ...process.env, DISABLE_HC_SYSTEMD: 'true' }
  const tryPodman = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(podmanPath, [...storage, ...runtime, ...args], {
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
    const flags = ['--network', 'host', '--pull=never', '--format', 'docker', '--layers=false']
    podman('build', ...flags, '--tag', image, context)
  }
  const containers: Containers = {
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
  const mmdebstrap = programPath(['mmdebstrap'], 'mmdebstrap')
  const npm = realpathSync(programPath(['npm'], 'npm'))
  cpSync(dirname(dirname(npm)), join(folder, 'npm'), { recursive: true })
  cpSync(process.execPath, join(folder, 'node'))
  cpSync('/etc/ssl/certs/ca-certificates.crt', join(folder, 'ca-certificates.crt'))
  writeFileSync(join(folder, 'Dockerfile'), baseFile)
  const flags = ['--quiet', '--variant=extract', `--include=${packages.join(',')}`]
  const { status, stderr } = spawnSync(mmdebstrap, [...flags, 'bookworm', join(folder, 'root.tar')], {
    encoding: 'utf8',
    maxBuffer,
  })
  if (status !== 0) throw new Error(`mmdebstrap failed:\n${stderr}`)
  return folder
}
