"""The play panel without its face: plan, orders, what is stored, the state, what is shown."""
