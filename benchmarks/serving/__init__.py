"""Requests per second and latencies of `augury serve`, beside a bare echo application."""
