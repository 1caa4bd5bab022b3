// The tests that the guide to property tests shows.
import '../src/own-flow.ts'
