/** Builds images with buildah and runs them with podman, in a storage of its own. */
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
  const runtime = ['--runtime', programPath(['runc'], 'runc'), '--cgroup-manager', 'cgroupfs']
  const tryPodman = (...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(podmanPath, [...storage, ...runtime, ...args], { encoding: 'utf8' })
    return { status, output: `${stdout}${stderr}` }
  }
  const build = (context: string, image: string) => {
    const flags = ['--isolation', 'chroot', '--network', 'host', '--pull=never', '--format', 'docker', '--layers=false']
    run(programPath(['buildah'], 'buildah'), [...storage, 'bud', ...flags, '--tag', image, context])
  }
  const containers: Containers = {
    build,
    tryPodman,
    podman: (...args) => {
      const { status, output } = tryPodman(...args)
      if (status !== 0) throw new Error(`podman ${args.join(' ')} failed:\n${output}`)
      return output.trim()
    },
    remove: () => {
      tryPodman('rm', '--all', '--force')
      tryPodman('rmi', '--all', '--force')
      tryPodman('unshare', 'true')
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
  run(mmdebstrap, [...flags, 'bookworm', join(folder, 'root.tar')])
  return folder
}

function run(program: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
