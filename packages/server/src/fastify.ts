/** `@nomen/server/fastify`: the service as a plugin of a Fastify application. */
import type { FastifyPluginAsync } from 'fastify'
import type { Service } from './define/definition.ts'
import { hostCheck } from './http/admit/gate.ts'
import { mountService } from './http/fastify-adapter.ts'
import { openHandler } from './open-handler.ts'
import type { Settings } from './settings.ts'

/**
 * Creates a Fastify plugin that serves the service. Its hooks and problems apply to its own paths only. Without a prefix, `/`, health, metrics and unknown
 * paths belong to the application.
 *
 * @example
 * ```ts
 * import fastify from 'fastify'
 * import service from './service.ts'
 *
 * const app = fastify()
 * await app.register(plugin(service, { database: 'sqlite:data/directory.db' }), { prefix: '/directory' })
 * ```
 */
export function plugin(service: Service, settings: Omit<Settings, 'prefix'>): FastifyPluginAsync {
  return async (app) => {
    const { prefix } = app
    const checks = settings.isLocalOnly ? [hostCheck(true)] : []
    const { handle, runtime, pages } = await openHandler(service, settings, {
      prefix,
      isMatched: true,
      checks,
      ownsRoot: prefix !== '',
    })
    app.addHook('preClose', async () => {
      runtime.health.stop()
      runtime.stopFollowing()
    })
    app.addHook('onClose', runtime.close)
    const paths = [...runtime.pipelines.keys(), ...pages].map(({ path }) => path)
    mountService(app, { ...runtime, handle, meter: runtime.meter.otherRequests, paths })
  }
}
