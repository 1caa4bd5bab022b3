/** Says the number of every message that comes. */
process.on('message', message => {
  if (typeof message === 'object' && message !== null && 'number' in message) process.send?.(message.number)
})
process.send?.('ready')
