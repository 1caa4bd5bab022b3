import './styles/index.css'
import { render } from 'preact'
import { Shell } from './shell.tsx'

const app = document.querySelector('#app')
if (app !== null) render(<Shell />, app)
