/** `@nomen/server/internal`: for the other packages of Nomen only. It may change in every version. */

export { devIssuerSettings, devToken } from './auth/dev-issuer.ts'
export { checkJwtSettings, SettingError, signatures } from './auth/jwt-settings.ts'
export { writeSome } from './foundation/write-some.ts'
export { Buckets } from './http/admit/buckets.ts'
export { readTrustProxy } from './http/admit/client-address.ts'
export { originFault } from './http/admit/cors.ts'
export { isLoopback } from './http/admit/gate.ts'
export { documentsOf, type ServiceDocument } from './http/page/openapi.ts'
export { Router } from './message/router.ts'
export { logLevels, openApplicationLog } from './observe/application-log.ts'
export { readRateLimit, type TakeRequest, type TakeResult } from './store/rate-limit.ts'
export { redactedAddress } from './store/redacted-address.ts'
