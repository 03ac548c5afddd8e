import fastify from 'fastify'
import { describe, expect, it } from 'vitest'
import { demandPolicies, policy, policyAt } from './route-policy.ts'

describe('a route', () => {
  it('that does not say who may call it is refused at start', () => {
    const app = fastify()
    demandPolicies(app)
    expect(() => app.get('/usage', () => 'x')).toThrow('The route GET /usage has no policy')
    expect(() => app.get('/usage', { config: {} }, () => 'x')).toThrow('has no policy')
  })

  it('has the policy that it says, for HEAD too; where there is none, nothing is hidden', async () => {
    const app = fastify()
    demandPolicies(app)
    app.addHook('onRequest', (request, reply, done) => {
      reply.header('x-policy', JSON.stringify(policyAt(request)))
      done()
    })
    app.get('/usage', policy({ scope: 'usage:read', isUrgent: true }), () => 'x')
    app.get('/health', policy({ scope: undefined }), () => 'x')
    const told = async (method: 'GET' | 'HEAD', url: string) => (await app.inject({ method, url })).headers['x-policy']
    expect(await told('GET', '/usage')).toBe('{"scope":"usage:read","isUrgent":true}')
    expect(await told('HEAD', '/usage')).toBe('{"scope":"usage:read","isUrgent":true}')
    expect(await told('GET', '/health')).toBe('{}')
    expect(await told('GET', '/nothing')).toBe('{}')
  })
})
