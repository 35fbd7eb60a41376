"""Minimisation of convex functions.

- `newton`: Newton's method, and the step halving that all searches share
- `linear_systems`: the Newton step from a Hessian matrix, or from Hessian-vector products
- `quasi_newton`: preconditioned L-BFGS, followed by Newton's method
- `one_vs_rest`: regularised linear models of one class against the rest
"""
