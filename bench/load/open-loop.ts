/**
 * Sends requests at a fixed rate, whether or not earlier ones have their response. A latency counts from the time at which
 * the request was due: a pause of the contender delays all requests that were due in it, and none is left out.
 */
import { connect, type Socket } from 'node:net'
import type { BenchRequest } from '../dialect.ts'
import type { LoadOrder, LoadResult } from './order.ts'
import { percentile } from './percentile.ts'
import { ResponseReader } from './response-reader.ts'

export async function runOpenLoop(order: LoadOrder & { readonly rate: number }): Promise<LoadResult> {
  const { url, requests, connections, rate, seconds } = order
  const { hostname, port, host } = new URL(url)
  const messages = requests.map((request) => messageOf(request, host))
  const number = Math.max(1, Math.round(rate * seconds))
  const latencies: number[] = []
  const waiting: number[] = []
  let failures = 0
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(hostname, Number(port))))
  const idle: Connection[] = []
  const startTime = performance.now()
  const dueTime = (index: number) => startTime + (index * 1000) / rate

  await new Promise<void>((resolve) => {
    const send = (connection: Connection, index: number) => {
      connection.index = index
      connection.socket.write(messages[index % messages.length] as Buffer)
    }
    const finish = (connection: Connection, isSuccess: boolean) => {
      latencies.push(performance.now() - dueTime(connection.index))
      if (!isSuccess) failures++
      if (latencies.length === number) return resolve()
      const next = waiting.shift()
      if (next === undefined) idle.push(connection)
      else send(connection, next)
    }
    for (const socket of sockets) {
      const connection: Connection = { socket, index: 0 }
      const reader = new ResponseReader((status) => finish(connection, status === 200))
      socket.on('data', (data: Buffer) => reader.read(data))
      // No contender closes a connection under this load, so a closed one is a failure.
      socket.on('close', () => {
        failures++
        resolve()
      })
      idle.push(connection)
    }
    let index = 0
    const sendDue = () => {
      const now = performance.now()
      for (; index < number && dueTime(index) <= now; index++) {
        const connection = idle.pop()
        if (connection) send(connection, index)
        else waiting.push(index)
      }
      if (index === number) return
      // Timers are too coarse for short intervals.
      if (dueTime(index) - now > 3) setTimeout(sendDue, dueTime(index) - now - 2)
      else setImmediate(sendDue)
    }
    sendDue()
  })
  const endTime = performance.now()
  for (const socket of sockets) socket.removeAllListeners('close').destroy()
  latencies.sort((a, b) => a - b)
  return {
    number: latencies.length,
    failures,
    seconds: (endTime - startTime) / 1000,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    p999: percentile(latencies, 0.999),
  }
}

interface Connection {
  readonly socket: Socket
  /** The number of its pending request. */
  index: number
}

function opened(host: string, port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true }, () => resolve(socket.off('error', reject)))
    socket.once('error', reject)
  })
}

function messageOf({ method, path, body, headers }: BenchRequest, host: string): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, `host: ${host}`]
  for (const [name, value] of Object.entries(headers ?? {})) lines.push(`${name}: ${value}`)
  if (body !== undefined) lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body ?? ''}`)
}
