"""Real tables that packages of R and Python hold."""
