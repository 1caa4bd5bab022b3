/** Addresses of third-party servers: those of the tests. */
export const {
  COLLOQUY_TEST_POSTGRES_URL: DATABASE = 'postgres://postgres@127.0.0.1:5432/test',
  COLLOQUY_TEST_REDIS_URL: REDIS = 'redis://127.0.0.1:6379',
  COLLOQUY_TEST_NATS_URL: NATS = 'nats://127.0.0.1:4222',
} = process.env
