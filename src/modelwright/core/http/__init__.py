"""Requests and answers: context, pipeline, routing, bodies, errors, paging."""
