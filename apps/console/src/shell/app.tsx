/** The console from its first moment: loading, asking for a service where none is named, and showing it. */
import { Center, Container, Loader } from '@mantine/core'
import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useCallback, useMemo, useState } from 'react'
import type { Service } from '../model/service/service.ts'
import { ProblemAlert } from '../view/problem-alert.tsx'
import { type Begun, begin } from '../wire/begin.ts'
import { ConsoleContext, type Message } from '../wire/console-context.ts'
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
    queryFn: () => begin(queries),
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
  const { service } = loaded.data
  if (!service) {
    return (
      <Suspense>
        <ConnectView />
      </Suspense>
    )
  }
  return <Open {...loaded.data} service={service} />
}

function Open({ service, settings, wire }: Begun & { readonly service: Service }) {
  const [told, setTold] = useState<readonly Told[]>([])
  const drop = useCallback((id: number) => setTold((before) => before.filter((one) => one.id !== id)), [])
  const context = useMemo(() => {
    let number = 0
    const say = (message: Message) => setTold((before) => [...before.slice(-2), { ...message, id: ++number }])
    return { service, wire, say }
  }, [service, wire])
  return (
    <ConsoleContext value={context}>
      <Shell settings={settings} />
      <LeaveDialog />
      <Messages told={told} onDrop={drop} />
    </ConsoleContext>
  )
}
