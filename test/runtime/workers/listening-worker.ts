import { createServer } from 'node:net'

/** A worker of node:cluster that tells clients its name, until it gets a message: then it stops listening, and declines connections. */
const server = createServer((socket) => socket.end(`${process.env.NAME}`))
server.listen(0, '127.0.0.1')
process.once('message', () => server.close())
