"""What the OpenAPI document says beyond the routes: words, examples, refusals and links."""
