/** A control group of Linux that limits memory and CPU of processes, as a container does. */
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface ControlGroup {
  /** The words before a command that runs it in the group. */
  readonly under: readonly string[]
  /** The highest use of memory so far. */
  peakBytes(): number
  /** How many processes were killed because of the limit. */
  kills(): number
  /** Call it when all processes of the group have ended. */
  remove(): void
}

const root = '/sys/fs/cgroup'

/** The folders and files of both versions of control groups. */
const isUnified = existsSync(join(root, 'cgroup.controllers'))
const files = isUnified
  ? { memory: '', cpu: '', limit: 'memory.max', peak: 'memory.peak', events: 'memory.events' }
  : {
      memory: 'memory',
      cpu: 'cpu',
      limit: 'memory.limit_in_bytes',
      peak: 'memory.max_usage_in_bytes',
      events: 'memory.oom_control',
    }

/** Creates a group. The user must be root. */
export function controlGroup(name: string, memoryBytes: number, cpus: number): ControlGroup {
  const [memory, cpu] = [join(root, files.memory, name), join(root, files.cpu, name)]
  const folders = [...new Set([memory, cpu])]
  for (const folder of folders) mkdirSync(folder)
  const quota = `${Math.round(cpus * 100_000)}`
  writeFileSync(join(memory, files.limit), `${memoryBytes}`)
  if (isUnified) writeFileSync(join(cpu, 'cpu.max'), `${quota} 100000`)
  else writeFileSync(join(cpu, 'cpu.cfs_quota_us'), quota)
  const enter = folders.map((folder) => `echo $$ > ${folder}/cgroup.procs`)
  return {
    under: ['sh', '-c', [...enter, 'exec "$@"'].join(' && '), 'sh'],
    peakBytes: () => Number(readFileSync(join(memory, files.peak), 'utf8')),
    kills: () => Number(/oom_kill (\d+)/.exec(readFileSync(join(memory, files.events), 'utf8'))?.[1]),
    remove: () => {
      for (const folder of folders) rmdirSync(folder)
    },
  }
}
