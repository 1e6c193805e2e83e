"""The HTTP server: application, routers, health, metrics, console files, OpenAPI document."""
