/** Runs a compose.yaml with docker-compose, on containers of podman. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { programPath } from '../debian.ts'
import { programFolder } from '../postgres/programs.ts'
import { type Containers, writeDebian } from './containers.ts'

/** Does what the image `postgres` of Docker Hub does with the settings of compose.yaml. */
const startDatabase = `#!/bin/sh
set -e
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  mkdir -p "$PGDATA"
  printf %s "$POSTGRES_PASSWORD" > /tmp/password
  initdb --username "$POSTGRES_USER" --pwfile /tmp/password --auth-host scram-sha-256 --encoding UTF8 --locale C.UTF-8
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  echo "create database $POSTGRES_USER" | postgres --single -j postgres
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
`

/** With the locale C.UTF-8, the C++ library of PostgreSQL, and `pg_isready`. */
const databasePackages = [
  'base-files',
  'base-passwd',
  'coreutils',
  'dash',
  'libc-bin',
  'libstdc++6',
  'postgresql-client-15',
]

const databaseFile = `FROM scratch
ADD root.tar /
COPY postgres /usr/local/postgres
COPY --chmod=755 start /usr/local/bin/start
RUN echo postgres:x:999:999::/var/lib/postgresql:/bin/sh >> /etc/passwd \\
  && echo postgres:x:999: >> /etc/group \\
  && install -d -o 999 -g 999 /var/lib/postgresql /var/run/postgresql
ENV PATH=/usr/local/postgres/bin:/usr/lib/postgresql/15/bin:/usr/local/bin:/usr/bin:/bin PGDATA=/var/lib/postgresql/18/docker
USER postgres
VOLUME /var/lib/postgresql
ENTRYPOINT ["start"]
`

/** Builds an image that takes the place of postgres:18, without a registry. `folder` is empty. */
export function buildDatabase({ build }: Containers, folder: string): void {
  mkdirSync(folder, { recursive: true })
  writeDebian(join(folder, 'root.tar'), databasePackages)
  cpSync(dirname(programFolder()), join(folder, 'postgres'), { recursive: true, verbatimSymlinks: true })
  writeFileSync(join(folder, 'start'), startDatabase)
  writeFileSync(join(folder, 'Dockerfile'), databaseFile)
  build(folder, 'docker.io/library/postgres:18')
}

export interface Compose {
  /** Runs docker-compose with these arguments, and returns its output. Throws if it fails. */
  run(...args: readonly string[]): Promise<string>
  /** The ID of the container of a service. */
  containerOf(service: string): string
}

/** Opens the compose.yaml in a folder as the project `desk`. */
export function openCompose({ podman, tryPodman }: Containers, url: string, folder: string): Compose {
  const program = programPath(['docker-compose'], 'docker-compose')
  const env = { ...process.env, DOCKER_HOST: url, DATABASE_PASSWORD: 'choose-one' }
  const containerOf = (service: string) =>
    podman('ps', '--all', '--quiet', '--filter', `label=com.docker.compose.service=${service}`)
  const run = async (...args: readonly string[]) => {
    const child = spawn(program, ['--project-name', 'desk', ...args], { cwd: folder, env })
    const output = Promise.all([text(child.stdout), text(child.stderr)])
    const exit = once(child, 'exit')
    // Without systemd, podman does not run health checks itself.
    while (child.exitCode === null) {
      const id = containerOf('database')
      if (id !== '') tryPodman('healthcheck', 'run', id)
      await pause(200)
    }
    const [code] = await exit
    if (code !== 0) throw new Error(`docker-compose ${args.join(' ')} failed:\n${(await output).join('')}`)
    return (await output).join('')
  }
  return { run, containerOf }
}
