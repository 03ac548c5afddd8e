/** Notices that another process has migrated the database. */
import type { MonitoredStore } from '../../store/store.ts'

const pauseMs = 500

/** Calls the listener after every migration, until it is stopped. */
export async function watchSchema(
  store: Pick<MonitoredStore, 'schemaVersion'>,
  onChange: () => void,
): Promise<{ stop(): void }> {
  let lastVersion = await store.schemaVersion()
  let isStopped = false
  const check = async () => {
    // If the database is unreachable now, the next check tries again.
    const version = await store.schemaVersion().catch(() => lastVersion)
    if (isStopped) return
    if (version !== lastVersion) onChange()
    lastVersion = version
    timer = setTimeout(check, pauseMs).unref()
  }
  let timer = setTimeout(check, pauseMs).unref()
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
