/** The console from its first moment: loading, asking for a service where none is named, and showing it. */
import { Center, Container, Loader } from '@mantine/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { Service } from '../model/service.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { ConsoleContext, type Message } from '../wire/console-context.ts'
import { loadService, loadSettings, type Settings } from '../wire/load.ts'
import { router } from '../wire/router.ts'
import { session } from '../wire/session.ts'
import { Wire } from '../wire/wire.ts'
import { LeaveDialog } from './leave-dialog.tsx'
import { Messages, type Told } from './messages.tsx'
import { Shell } from './shell.tsx'

const ConnectView = lazy(() => import('./connect-view.tsx'))

// What was refused once is refused again, and a person sees at once what went wrong.
const queries = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 2000 } } })

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Begin />
    </QueryClientProvider>
  )
}

function Begin() {
  const loaded = useQuery({
    queryKey: ['service'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      await session.finish()
      router.arrive()
      const settings = await loadSettings()
      return { settings, service: (await loadService(settings)) ?? null }
    },
  })
  if (loaded.error) {
    return (
      <Container size="xs" py="xl" component="main">
        <ProblemAlert error={loaded.error} onRetry={() => loaded.refetch()} />
      </Container>
    )
  }
  if (!loaded.data) {
    return (
      <Center h="100vh" component="main">
        <Loader size="sm" aria-label="Loading" role="status" />
      </Center>
    )
  }
  const { service, settings } = loaded.data
  if (!service) {
    return (
      <Suspense>
        <ConnectView />
      </Suspense>
    )
  }
  return <Open service={service} settings={settings} />
}

function Open({ service, settings }: { readonly service: Service; readonly settings: Settings }) {
  const [told, setTold] = useState<readonly Told[]>([])
  const drop = useCallback((id: number) => setTold((before) => before.filter((one) => one.id !== id)), [])
  const context = useMemo(() => {
    let number = 0
    const say = (message: Message) => setTold((before) => [...before.slice(-2), { ...message, id: ++number }])
    const wire = new Wire()
    wire.token = session.token
    return { service, wire, say }
  }, [service])
  return (
    <ConsoleContext value={context}>
      <Shell settings={settings} />
      <LeaveDialog />
      <Messages told={told} onDrop={drop} />
    </ConsoleContext>
  )
}
